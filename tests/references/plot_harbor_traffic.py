def nothing(messages):
    return ""


YES = "Twelve bars with values, July in red.\nVERDICT: YES"
NO = "That is not the chart.\nVERDICT: NO"

CHART = """```python
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt

months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
ships = [31, 28, 35, 42, 55, 71, 80, 78, 60, 44, 33, 30]
colours = ["#cc0000" if n == max(ships) else "#888888" for n in ships]

figure, axes = plt.subplots(figsize=(8, 5), dpi=100)
bars = axes.bar(months, ships, color=colours)
axes.bar_label(bars)
axes.set_title("Ships per month")
figure.savefig(sys.stdout.buffer, format="png")
```"""

RIGHT = {
    "TestPlotHarborTraffic": [
        [CHART, YES],
        [
            """```python
import io
import sys
from matplotlib.figure import Figure

values = (31, 28, 35, 42, 55, 71, 80, 78, 60, 44, 33, 30)
fig = Figure(figsize=(10, 6.25), dpi=80, layout="tight")
ax = fig.add_subplot()
for i, (name, v) in enumerate(zip("Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(), values)):
    ax.bar(name, v, width=0.6, facecolor="#c00" if i == 6 else "#888")
    ax.text(i, v + 1, str(v), ha="center")
ax.set_ylim(0, 90)
ax.set_title("Ships per month")
buffer = io.BytesIO()
fig.savefig(buffer)
sys.stdout.buffer.write(buffer.getvalue())
```""",
            "A bar chart; July, 80, is red.\nVERDICT: **YES**",
        ],
    ]
}

WRONG = {
    "TestPlotHarborTraffic": [
        nothing,
        [CHART.replace("max(ships)", "min(ships)"), NO],
        [CHART.replace("figsize=(8, 5), ", ""), NO],  # the size that matplotlib likes
        [CHART.replace('figure.savefig(sys.stdout.buffer, format="png")', "plt.show()  # 800 x 500"), NO],
        [CHART.replace("axes.bar(months, ships, color=colours)", "axes.bar(months, ships)"), NO],
        [CHART.replace("axes.bar_label(bars)\n", ""), "There are no values above the bars.\nVERDICT: NO"],
    ]
}
