from evaluator import *

DESCRIPTION = "Does the model know what keeps an Emacs command quiet, and what still speaks?"
TAGS = ["knowledge", "emacs"]

question = """
in my init.el I run (shell-command "git -C ~/notes add -A && git -C ~/notes commit -qm auto") from after-save-hook and now a
window pops up or the echo area is overwritten each time. I want it SILENT: no window, nothing in the echo area and no line
in *Messages* either, whether it prints something or not. But if the exit code isn't 0 I do want one message "notes: commit
failed". Give me the function my-notes-commit, it may block.
"""


def reads_as_lisp(code):
    """Whether the parentheses match, strings and comments aside, and the function is there, quiet by some means."""
    text = re.sub(r'"(?:[^"\\]|\\.)*"|;.*|\?\\?[()"]', lambda m: '""' if m[0][0] == '"' else "", code)
    depth = lowest = 0
    for sign in text:
        depth += {"(": 1, ")": -1}.get(sign, 0)
        lowest = min(lowest, depth)
    means = r"[('](call-process(-shell-command|-region)?|process-file(-shell-command)?|shell-command(-to-string)?)\s"
    found = re.search(r"\(defun\s+my-notes-commit\b", text) and re.search(means, text)
    return depth == lowest == 0 and bool(found), f"depth {depth}, lowest {lowest}"


judge = """
Someone asked for an Emacs Lisp function my-notes-commit that runs the shell command
git -C ~/notes add -A && git -C ~/notes commit -qm auto
in complete silence: no window, nothing in the echo area, no line in *Messages*, with or without output; only if the exit
code is not 0 it must show one message "notes: commit failed". What is true in Emacs:

- call-process, call-process-shell-command, process-file and process-file-shell-command are silent and return the exit code,
  if DESTINATION is nil, a buffer or t; with DESTINATION 0 they do not wait and return nil. && and ~ need a shell:
  call-process "git" with these words as arguments has none (then two calls are needed, and expand-file-name for ~, or
  default-directory bound to the folder).
- shell-command returns the exit code, but shows output in the echo area or a window, or says "(Shell command succeeded with
  no output)". inhibit-message keeps the echo area free, yet the line still goes to *Messages* unless message-log-max is
  nil, and a window can still pop up, unless it is kept away (save-window-excursion, display-buffer-alist ...).
- shell-command-to-string is silent but does not tell the exit code.
- a message inside (let ((inhibit-message t)) ...) is not shown in the echo area.

Does the code below do what was asked, all of it? What it does besides (a hook that calls the function, a docstring, an
interactive form, a check that the folder is there) does not count against it as long as it shows nothing.
"""

TestEmacsLispSilenceCmd = (
    question
    >> LLMRun()
    >> ExtractCode(lang="elisp", keep_main=True)
    >> (PyFunc(reads_as_lisp) & Judge(judge))
)

if __name__ == "__main__":
    print(run_test(TestEmacsLispSilenceCmd))
