def nothing(messages):
    return ""


YES = "A white heading stands in the dark bar.\nVERDICT: YES"
NO = "The page is not as it should be.\nVERDICT: NO"

CSS = """html, body { margin: 0; height: 100%; }
body { display: flex; flex-direction: column; background: #fff; }
header { flex: none; height: 60px; background: #203040; display: flex; align-items: center; justify-content: center; }
h1 { margin: 0; color: white; font: 28px sans-serif; }
main { flex: 1; display: flex; min-height: 0; }
aside { flex: 0 0 200px; background: #ffd000; }
.rest { flex: 1; display: flex; align-items: center; justify-content: center; }
.square { width: 120px; height: 120px; background: #c00000; }
footer { flex: none; height: 40px; background: #008060; }
"""

BODY = """<header><h1>Ferry times</h1></header>
<main><aside></aside><div class="rest"><div class="square"></div></div></main>
<footer></footer>
"""

PAGE = f"""```html
<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><title>Ferry times</title>
<style>
{CSS}</style></head>
<body>
{BODY}</body>
</html>
```"""

RIGHT = {
    "TestFlexboxWebpage": [
        [PAGE, YES],
        # in two parts, so that the one file must be asked for
        [
            f"The page:\n\n```html\n<!doctype html>\n<link rel=stylesheet href=pier.css>\n{BODY}```\n\n"
            f"And pier.css:\n\n```css\n{CSS}```\n\nPut both into one folder.",
            PAGE,
            YES,
        ],
        # other means to the same end
        [
            """```html
<!doctype html><meta charset=utf-8><title>Pier</title>
<body style="margin:0;height:100vh;overflow:hidden;display:flex;flex-flow:column;background:white">
<div style="height:60px;background:#203040;color:#fff;display:flex"><h2 style="margin:auto">Ferry times</h2></div>
<div style="flex-grow:1;display:flex"><div style="width:200px;background:rgb(255,208,0)"></div>
<div style="flex-grow:1;display:flex"><div style="margin:auto;width:120px;height:120px;background:#c00000"></div></div></div>
<div style="height:40px;background:#008060"></div>
</body>
```""",
            YES,
        ],
    ]
}

WRONG = {
    "TestFlexboxWebpage": [
        nothing,
        [PAGE.replace("body { margin: 0;", "body {"), NO],  # the browser's margin
        [PAGE.replace("align-items: center; justify-content: center; }\n.square", "}\n.square"), NO],
        [PAGE.replace("flex: 0 0 200px", "flex: 1"), NO],
        [PAGE.replace("height: 100%", "color: black"), NO],  # only as high as its content
        [PAGE.replace("display: flex", "/* display: flex */"), NO],
        [PAGE.replace("color: white", "color: #203040"), "The bar on top is empty.\nVERDICT: NO"],
    ]
}
