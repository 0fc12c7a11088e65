def collapse(text):
    stack, depth, best = [], 0, 0
    for at, letter in enumerate(text):
        if letter == "(":
            depth += 1
            stack.append(at)
        elif letter == ")":
            if depth == 0:
                stack.clear()
                best = max(best, 1)
            else:
                depth -= 1
                begin = stack.pop()
                if at - begin > best + 1:
                    best = at - begin - 1
        elif depth % 2 == 1 and stack:
            stack[-1] = stack[-1] + 1
        elif at > 0 and text[at - 1] == "x":
            best += depth // 2
    return best * 10 + len(stack)
