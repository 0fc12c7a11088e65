RIGHT = {
    "TestPrintHello": [
        '```python\nprint("hello world")\n```',
        'Here you are:\n\n```python\ndef main():\n    print("Hello World")\n\n\nif __name__ == "__main__":\n    main()\n```\n\nRun it with `python3 hello.py`.',
        "Sure! 👋\n\n```python\nprint('Hello, World!')\n```\n\nSave it and run it:\n\n```bash\npython hello.py\n```",
    ]
}
WRONG = {
    "TestPrintHello": [
        '```python\n# prints hello world\nprint("hello" "world")\n```',
        "```python\nprint(hello_world)\n```",
        "```bash\necho 'hello world'\n```",
        "",
    ]
}
