from evaluator import *

DESCRIPTION = "Can the model carry a node program from require to ES modules, with all that goes with it?"
TAGS = ["code", "javascript", "debug"]
REQUIRES = ["node"]
DETERMINISTIC = True

question = """
since a colleague put "type": "module" into package.json I get "ReferenceError: require is not defined in ES module scope, you
can use import instead". I did replace the first line by import and then it complains about the next thing, and the next...
package.json has to stay as it is. We start it with node index.js [file], from any directory. What has to
change? Answer with one JSON object with the new content of each changed file, {"index.js": "...", ...}

index.js:

const fs = require("fs");
const path = require("path");
const { money, total } = require("./lib/format");
const rates = require("./rates.json");

const file = process.argv[2] || path.join(__dirname, "invoice.csv");
const lines = fs.readFileSync(file, "utf8").trim().split("\\n").map((line) => line.split(","));
for (const [what, amount, currency] of lines) {
  console.log(`${what}: ${money(amount * rates[currency])}`);
}
console.log("total: " + money(total(lines, rates)));
if (process.env.DEBUG) console.log(require("util").inspect(rates), path.basename(__filename));

lib/format.js:

exports.money = (x) => x.toFixed(2) + " EUR";

module.exports.total = function (lines, rates) {
  return lines.reduce((sum, [, amount, currency]) => sum + amount * rates[currency], 0);
};
"""


def make_project():
    import os

    os.makedirs("lib")
    with open("package.json", "w") as file:
        file.write('{"name": "invoice", "type": "module", "private": true}\n')
    with open("rates.json", "w") as file:
        file.write('{"EUR": 1, "CHF": 1.05}\n')


def runs_from_anywhere():
    import json
    import os
    import subprocess

    here = os.getcwd()
    with open("package.json") as file:
        if json.load(file).get("type") != "module":
            return False, "package.json is not what it was"
    with open("rates.json", "w") as file:
        file.write('{"EUR": 1, "USD": 0.5, "SEK": 0.125}\n')
    with open("invoice.csv", "w") as file:
        file.write("paint,10,USD\nbrush,3.5,EUR\n")
    with open("lib/other.csv", "w") as file:
        file.write("nails,8,SEK\n")
    cases = [
        (here, [], "", "paint: 5.00 EUR\nbrush: 3.50 EUR\ntotal: 8.50 EUR\n"),
        ("/", [], "", "paint: 5.00 EUR\nbrush: 3.50 EUR\ntotal: 8.50 EUR\n"),
        (here + "/lib", ["other.csv"], "", "nails: 1.00 EUR\ntotal: 1.00 EUR\n"),
        (
            "/",
            [here + "/lib/other.csv"],
            "1",
            "nails: 1.00 EUR\ntotal: 1.00 EUR\n{ EUR: 1, USD: 0.5, SEK: 0.125 } index.js\n",
        ),
    ]
    for folder, arguments, debug, wanted in cases:
        ran = subprocess.run(
            ["node", here + "/index.js", *arguments],
            cwd=folder,
            env={**os.environ, "DEBUG": debug},
            capture_output=True,
            text=True,
            timeout=10,
        )
        if ran.stdout != wanted:
            return False, f"in {folder} with {arguments}: {ran.stdout}{ran.stderr}"
    return True, "four runs are right"


TestFixNodeError = (
    Setup(make_project)
    >> question
    >> LLMRun()
    >> ExtractJSON()
    >> MakeFilesFromJSON()
    >> PyEvaluator(runs_from_anywhere)
)

if __name__ == "__main__":
    print(run_test(TestFixNodeError))
