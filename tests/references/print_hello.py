RIGHT = {
    "TestPrintHello": [
        '```python\nprint("hello world")\n```',
        'Here you are:\n\n```python\ndef main():\n    print("Hello World")\n\n\nif __name__ == "__main__":\n    main()\n```\n\nRun it with `python3 hello.py`.',
    ]
}
WRONG = {
    "TestPrintHello": [
        '```python\n# prints hello world\nprint("hello" "world")\n```',
        "```python\nprint(hello_world)\n```",
        "",
    ]
}
