// What a page shows and where its parts are, for inside/page.py, in a world of its own: nothing that the page
// has redefined is met here. `what` is null for the page as a whole, or the part that is looked for: a CSS
// selector, or a text that it shows or is called by.
(what, types) => {
  const CONTROLS = "a[href], button, input, select, textarea, summary, label, [role=button], [role=link], [role=tab], " +
    "[role=menuitem], [role=checkbox], [onclick], [contenteditable]"
  const FIELDS = "input, select, textarea, [contenteditable]"
  const PICKED = "[type=date], [type=time], [type=month], [type=week], [type=datetime-local], [type=color], [type=range]"
  const plain = text => (text || "").trim().replace(/\s+/g, " ")
  const short = text => plain(text).slice(0, 80)
  const seen = part => {
    const box = part.getBoundingClientRect()
    return box.width > 0 && box.height > 0 && getComputedStyle(part).visibility === "visible"
  }
  const pressed = part => part.matches("input[type=button], input[type=submit], input[type=reset]")
  const names = part => [
    part.getAttribute("aria-label"), ...[...(part.labels || [])].map(label => label.textContent), part.placeholder,
    part.matches("select, textarea") ? "" : part.textContent, pressed(part) ? part.value : "", part.alt, part.title,
    part.getAttribute("name"),
  ].map(plain).filter(Boolean)
  const described = part => {
    const kind = part.matches("a") ? "link" : part.tagName === "INPUT" ? part.type || "text" : part.tagName.toLowerCase()
    const value = pressed(part) || part.value === undefined || part.matches("button, li") ? ""
      : part.matches("[type=checkbox], [type=radio]") ? (part.checked ? " (on)" : " (off)")
      : part.matches("select") ? " = " + JSON.stringify(short(part.selectedOptions[0]?.text)) +
        " of " + [...part.options].slice(0, 12).map(each => JSON.stringify(short(each.text))).join(", ")
      : " = " + JSON.stringify(short(part.value))
    return kind + " " + JSON.stringify(short(names(part)[0])) + (part.id ? " #" + part.id : "") + value +
      (part.disabled ? " (disabled)" : "")
  }
  if (what === null) {
    const controls = [...document.querySelectorAll(CONTROLS)].filter(part => !part.matches("label") && seen(part))
    return {
      url: location.href.slice(0, 1000), title: document.title.slice(0, 300),
      text: (document.body?.innerText || "").slice(0, 1000000),
      controls: controls.slice(0, 60).map(described), more: Math.max(0, controls.length - 60),
      below: Math.max(0, Math.round(document.documentElement.scrollHeight - innerHeight - scrollY)),
    }
  }
  let found = null
  try {
    const all = [...document.querySelectorAll(what)]
    found = all.find(seen) || all[0]
  } catch (error) {} // it is no selector
  if (!found) {
    const wanted = plain(what).toLowerCase()
    const called = [...document.querySelectorAll("body, body *")]
      .filter(part => part.textContent.length < 1000 && (!types || part.matches(FIELDS)) && seen(part))
      .map(part => ({ part, names: names(part).map(name => name.toLowerCase()) }))
    for (const fits of [name => name === wanted, name => name.includes(wanted)]) {
      const fitting = called.filter(each => each.names.some(fits)).map(each => each.part)
      found = found || fitting.find(part => part.matches(CONTROLS) && !part.matches("label")) || fitting.pop()
    }
  }
  if (!found) return null
  found.scrollIntoView({ block: "center", inline: "center", behavior: "instant" })
  if (types && found.matches("select, " + PICKED)) {
    const options = [...(found.options || [])]
    const option = options.find(each => [each.text, each.value].map(plain).includes(plain(types)))
    if (options.length && !option) return { what: described(found), wrong: "it has no such option" }
    found.value = option ? option.value : types
    for (const name of ["input", "change"]) found.dispatchEvent(new Event(name, { bubbles: true }))
    return { what: described(found), chosen: true }
  }
  if (types) {
    if (!found.matches(FIELDS)) return { what: described(found), wrong: "nothing can be typed there" }
    found.focus()
    if (found.select) found.select()
    else getSelection().selectAllChildren(found)
  }
  const box = found.getBoundingClientRect(), x = box.x + box.width / 2, y = box.y + box.height / 2
  const hit = document.elementFromPoint(x, y)
  const over = hit && !found.contains(hit) && !hit.contains(found) ? described(hit) : ""
  return { what: described(found), x, y, over }
}
