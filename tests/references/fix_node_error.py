import json

INDEX = """import fs from "node:fs";
import path from "node:path";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import util from "node:util";
import { money, total } from "./lib/format.js";

const __filename = fileURLToPath(import.meta.url);
const __dirname = path.dirname(__filename);
const rates = createRequire(import.meta.url)("./rates.json");

const file = process.argv[2] || path.join(__dirname, "invoice.csv");
const lines = fs.readFileSync(file, "utf8").trim().split("\\n").map((line) => line.split(","));
for (const [what, amount, currency] of lines) {
  console.log(`${what}: ${money(amount * rates[currency])}`);
}
console.log("total: " + money(total(lines, rates)));
if (process.env.DEBUG) console.log(util.inspect(rates), path.basename(__filename));
"""

FORMAT = """export const money = (x) => x.toFixed(2) + " EUR";

export function total(lines, rates) {
  return lines.reduce((sum, [, amount, currency]) => sum + amount * rates[currency], 0);
}
"""

OLD_FORMAT = """exports.money = (x) => x.toFixed(2) + " EUR";

module.exports.total = function (lines, rates) {
  return lines.reduce((sum, [, amount, currency]) => sum + amount * rates[currency], 0);
};
"""

REST = INDEX[INDEX.index("const file") :]


def files(index=INDEX, form=FORMAT, name="lib/format.js", **more):
    return json.dumps({"index.js": index, name: form, **more}, indent=1)


RIGHT = {
    "TestFixNodeError": [
        f"No more `require`, `exports` and `__dirname`, and the import needs the file's ending:\n\n```json\n{files()}\n```",
        # what was CommonJS may stay so under another name
        files(
            'import util from "util";\nimport path from "path";\nimport fs, { readFileSync } from "fs";\n'
            'import format from "./lib/format.cjs";\nconst { money, total } = format;\n'
            'const rates = JSON.parse(readFileSync(new URL("./rates.json", import.meta.url)));\n'
            "const __filename = new URL(import.meta.url).pathname, __dirname = path.dirname(__filename);\n"
            + REST,
            OLD_FORMAT,
            "lib/format.cjs",
        ),
        # import assertions work on node 18, with a warning on stderr
        files(
            INDEX.replace('const rates = createRequire(import.meta.url)("./rates.json");\n', "").replace(
                'import { createRequire } from "node:module";',
                'import rates from "./rates.json" assert { type: "json" };',
            )
        ),
    ]
}

WRONG = {
    "TestFixNodeError": [
        lambda messages: "",
        files(INDEX.replace("./lib/format.js", "./lib/format")),  # no guessing of endings
        files(form=OLD_FORMAT),
        # works only where it stands
        files(
            INDEX.replace("path.dirname(__filename)", "process.cwd()").replace(
                'createRequire(import.meta.url)("./rates.json")', 'JSON.parse(fs.readFileSync("rates.json"))'
            )
        ),
        files(INDEX.replace("path.dirname(__filename)", '"."')),
        files(
            INDEX.replace("const __filename = fileURLToPath(import.meta.url);\n", "").replace(
                "__filename);\nconst", '"");\nconst'
            )
        ),
        # turns the colleague's change back
        json.dumps(
            {
                "package.json": '{"name": "invoice", "private": true}',
                "index.js": "",
                "lib/format.js": OLD_FORMAT,
            }
        ),
        'Use import instead of require: {"index.js": "// import fs from \\"fs\\"\\nconsole.log(\\"total: 8.50 EUR\\")"}',
    ]
}
