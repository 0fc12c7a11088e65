from evaluator import *

DESCRIPTION = "Does the model see why innerHTML += loses event listeners, and mend the page?"
TAGS = ["code", "javascript", "html", "debug"]
REQUIRES = ["python:PIL"]

question = """
Only the last +1 button works and I don't understand why, all three are made by the same function! Please correct it and
give me the whole page. Keep the ids and keep addRow(name), I call it later too, for more people, and then the votes
until then must not be lost.

<!DOCTYPE html>
<html>
<body>
<h1>Votes</h1>
<div id="list"></div>
<script>
const list = document.getElementById("list");

function addRow(name) {
  list.innerHTML += `<p>${name}: <b id="votes-${name}">0</b> <button id="plus-${name}">+1</button></p>`;
  document.getElementById("plus-" + name).addEventListener("click", () => {
    const votes = document.getElementById("votes-" + name);
    votes.textContent = Number(votes.textContent) + 1;
  });
}

["Ana", "Ben", "Chi"].forEach(addRow);
</script>
</body>
</html>
"""

# Appended to the page: clicks, and paints the page green if the votes are right, red if not.
clicks = """
<script>
addEventListener("load", () => setTimeout(() => {
  let seen = "";
  try {
    const click = (name, times) => { while (times--) document.getElementById("plus-" + name).click(); };
    const votes = () => [...document.querySelectorAll("[id^=votes-]")].map(b => b.id.slice(6) + b.textContent.trim());
    click("Ana", 2); click("Ben", 1); click("Chi", 3);
    seen += votes();
    addRow("Dee");
    click("Ana", 1); click("Dee", 4);
    seen += " " + votes();
  } catch (error) { seen = String(error); }
  const good = seen === "Ana2,Ben1,Chi3 Ana3,Ben1,Chi3,Dee4";
  document.body.textContent = "";
  document.documentElement.style.background = document.body.style.background = good ? "rgb(0,160,0)" : "rgb(200,0,0)";
}, 0));
</script>
"""


def page_is_green(png):
    from PIL import Image

    picture = Image.open(io.BytesIO(png)).convert("RGB")
    middle = picture.getpixel((picture.width // 2, picture.height // 2))
    return middle == (0, 160, 0), f"the page is {middle}"


TestDebugInnerHTMLEventListener = (
    question
    >> LLMRun()
    >> ExtractCode(postfix=clicks, lang="html", keep_main=True)
    >> SeleniumDraw()
    >> PyEvaluator(page_is_green)
)

if __name__ == "__main__":
    print(run_test(TestDebugInnerHTMLEventListener))
