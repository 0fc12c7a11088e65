def nothing(messages):
    return ""


def block(*lines):
    return "```javascript\n" + "\n".join(lines) + "\n```"


TYPED = [
    'document.querySelectorAll("input").forEach((field) => field.setAttribute("value", field.value));',
    'document.querySelectorAll("textarea").forEach((field) => { field.textContent = field.value; });',
]

RIGHT = {
    "TestSaveExpiredHTML": [
        "What you typed is a property, not part of the HTML, so write it there first. `copy` is the console's own:\n\n"
        + block(*TYPED, "copy(document.documentElement.outerHTML);"),
        # a file, of a copy of the document
        block(
            "(() => {",
            "  const all = document.cloneNode(true);",
            '  const fields = (root) => [...root.querySelectorAll("input, textarea")];',
            "  const now = fields(document);",
            "  fields(all).forEach((field, i) => {",
            '    if (field.tagName === "TEXTAREA") field.innerHTML = now[i].value;',
            '    else field.setAttribute("value", now[i].value);',
            "  });",
            '  const blob = new Blob(["<!DOCTYPE html>" + all.documentElement.outerHTML], { type: "text/html" });',
            '  const link = Object.assign(document.createElement("a"), { href: URL.createObjectURL(blob), download: "page.html" });',
            "  link.click();",
            "})();",
        ),
        block(
            "for (const e of $$('input, textarea')) { e.defaultValue = e.value; }",
            "await navigator.clipboard.writeText(new XMLSerializer().serializeToString(document));",
        ),
        block(
            "document.querySelectorAll('input').forEach(i => i.setAttribute('value', i.value));",
            "document.querySelectorAll('textarea').forEach(t => t.textContent = t.value);",
            "document.querySelector('html').outerHTML",
        ),
    ]
}

WRONG = {
    "TestSaveExpiredHTML": [
        nothing,
        block("copy(document.documentElement.outerHTML)"),  # without what was typed
        block(*TYPED, "copy(document.body.innerHTML)"),
        block(
            *TYPED, "copy(document.documentElement.innerHTML)"
        ),  # without the html tag and what stands on it
        block(
            "const html = await (await fetch(location.href)).text();", "copy(html);"
        ),  # that is the login page
        block(*TYPED[:1], "console.log(document.documentElement.outerHTML);"),
        block("// document.documentElement.outerHTML", 'console.log("<html data-user>saved</html>");'),
    ]
}
