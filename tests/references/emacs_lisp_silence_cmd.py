def nothing(messages):
    return ""


YES = "It waits, is silent, and looks at the exit code.\nVERDICT: YES"
NO = "It is not what was asked.\nVERDICT: NO"

COMMIT = """```elisp
(defun my-notes-commit ()
  "Commit ~/notes without a word, unless it fails."
  (let ((code (call-process-shell-command
               "git -C ~/notes add -A && git -C ~/notes commit -qm auto" nil nil nil)))
    (unless (eql code 0) ; a string if it was killed
      (message "notes: commit failed"))))
```"""

RIGHT = {
    "TestEmacsLispSilenceCmd": [
        ["`shell-command` always wants to show something; the functions below it don't:\n\n" + COMMIT, YES],
        [
            """```emacs-lisp
(defun my-notes-commit ()
  (let ((default-directory (expand-file-name "~/notes/")))
    (unless (and (zerop (process-file "git" nil nil nil "add" "-A"))
                 (zerop (process-file "git" nil nil nil "commit" "-qm" "auto")))
      (message "notes: commit failed"))))
(add-hook 'after-save-hook #'my-notes-commit)
```""",
            "Two calls without a shell, in the folder.\nVERDICT: YES",
        ],
        [
            """```elisp
(defun my-notes-commit ()
  (let ((code (let ((inhibit-message t)
                    (message-log-max nil))
                (save-window-excursion
                  (shell-command "git -C ~/notes add -A && git -C ~/notes commit -qm auto")))))
    (when (/= code 0)
      (message "notes: commit failed"))))
```""",
            "Roundabout, but nothing is left to be seen.\nVERDICT: **YES**",
        ],
    ]
}

WRONG = {
    "TestEmacsLispSilenceCmd": [
        nothing,
        [COMMIT.replace("nil nil nil)", "nil 0 nil)"), NO],  # does not wait, so it knows no exit code
        # the right variable, not for *Messages*, nor for the window
        [
            """```elisp
(defun my-notes-commit ()
  (let ((inhibit-message t))
    (unless (zerop (shell-command "git -C ~/notes add -A && git -C ~/notes commit -qm auto"))
      (message "notes: commit failed"))))
```""",
            NO,
        ],
        [
            """```elisp
(defun my-notes-commit ()
  (shell-command-to-string "git -C ~/notes add -A && git -C ~/notes commit -qm auto >/dev/null 2>&1"))
```""",
            NO,
        ],
        [COMMIT.replace('failed"))))', 'failed")))'), YES],  # a parenthesis short
        [
            '```elisp\n;; (defun my-notes-commit () (call-process-shell-command "..." nil nil nil))\n(shell-command "git")\n```',
            YES,
        ],
    ]
}
