from evaluator import *

DESCRIPTION = "Can the model save a whole page from the browser's console, with what was typed into it?"
TAGS = ["javascript", "html", "visual"]
REQUIRES = ["python:PIL"]

question = """
My session has expired! If I reload I only get the login page, but the tab still shows the table that took an hour to filter,
and next to it my comment that I typed and can't send any more (a <textarea>, and there's an <input> too). What do I
paste into the devtools console (chrome) to get the HTML of the whole document as it is now, from the html tag on, with
what I typed in it? Into the clipboard, as a file, or just printed, I don't mind. One code block, only what I paste.
"""

# A page whose content only scripts made, with somebody who typed; the pasted code runs as in the console. Whatever it
# copies, saves, prints or evaluates to is looked at, and the page turns green if a whole document is among it.
page = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>...</title></head>
<body>
<h1>Orders</h1><table id="orders"></table>
<form action="/send"><input id="name" value="nobody"><textarea id="comment">write here</textarea></form>
<script>
const secret = (n) => "k" + (n * 7919 % 100003);
document.title = secret(1);
document.documentElement.setAttribute("data-user", secret(2));
document.getElementById("orders").innerHTML = `<tbody><tr><td>${secret(3)}</td></tr></tbody>`;
document.getElementById("name").value = secret(4);
document.getElementById("comment").value = secret(5);
document.documentElement.style.background = "rgb(200,0,0)";

const seen = [];
function grab(what) {
  if (what instanceof Promise) return what.then(grab);
  if (what instanceof Blob) return what.text().then(grab);
  if (what instanceof Node) what = what.outerHTML ?? "";
  seen.push(String(what));
  const all = seen.join("\\n");
  const whole = seen.some((text) => /<html[^>]*data-user/.test(text) && text.includes("</html>") && text.includes("<head")
    && [1, 2, 3].every((n) => text.includes(secret(n))));
  if (whole && all.includes(secret(4)) && all.includes(secret(5))) {
    document.documentElement.style.background = "rgb(0,160,0)";
    document.body.hidden = true;
  }
}
window.copy = grab;
for (const name of ["log", "info", "dir", "debug", "warn"]) console[name] = (...what) => what.forEach(grab);
Object.defineProperty(navigator, "clipboard", { value: {
  writeText: async (text) => grab(text),
  write: async (items) => { for (const item of items) for (const kind of item.types) grab(await item.getType(kind)); },
}});
URL.createObjectURL = (blob) => { grab(blob); return "#saved"; };
window.showSaveFilePicker = async () => ({ createWritable: async () => ({ write: async (data) => grab(data), close: async () => {} }) });
window.open = () => ({ document: { write: grab, open() {}, close() {}, body: {} }, focus() {} });
document.execCommand = () => { grab(document.activeElement.value || String(getSelection())); return true; };
function follow(link) { if (link.href.startsWith("data:")) grab(decodeURIComponent(link.href)); }
HTMLAnchorElement.prototype.click = function () { follow(this); };
HTMLAnchorElement.prototype.dispatchEvent = function () { follow(this); return true; };
window.$ ??= (selector) => document.querySelector(selector);
window.$$ ??= (selector) => [...document.querySelectorAll(selector)];

addEventListener("load", async () => {
  const pasted = PASTED;
  try {
    let value;
    try { value = (0, eval)(pasted); }
    catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      value = (0, eval)("(async () => {" + pasted + "\\n})()");  // the console knows await
    }
    value = await value;
    if (typeof value === "string") grab(value);
  } catch (error) { document.body.prepend(String(error)); }
});
</script>
</body></html>
"""


def console(code):
    return page.replace("PASTED", json.dumps(code).replace("</", "<\\/").replace("<!--", "<\\!--"))


def page_is_green(png):
    from PIL import Image

    picture = Image.open(io.BytesIO(png)).convert("RGB")
    corner = picture.getpixel((picture.width - 5, picture.height - 5))
    return corner == (0, 160, 0), f"the page is {corner}"


TestSaveExpiredHTML = (
    question
    >> LLMRun()
    >> ExtractCode(lang="javascript", keep_main=True)
    >> PyFunc(console)
    >> SeleniumDraw()
    >> PyEvaluator(page_is_green)
)

if __name__ == "__main__":
    print(run_test(TestSaveExpiredHTML))
