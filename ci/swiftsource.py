"""Parses Swift files as text: the declarations, the used names, and the lengths of functions.

Nothing is type-checked. A name that several files declare is not resolved, so that all reported
dependencies exist; some dependencies are not found.
"""

import bisect
import re

TYPE = re.compile(r"\b(class|struct|enum|protocol|actor|typealias)\s+`?([A-Z_]\w*)")
BLOCK = re.compile(
    r"(?<!import )\b(class|struct|enum|protocol|actor|extension)\s+`?([A-Z_][\w.]*)[^{}]*\{")
WORD = re.compile(r"\b[A-Z_]\w*")
OPERATOR = r"[-/=+!*%<>&|^~?.]+"
# The type of a property, which can be on the next line; a keyword that begins a statement is not part of it.
PROPERTY_TYPE = (
    r"(?:(?!\b(?:let|var|func|init|deinit|subscript|case|class|struct|enum|protocol|actor|extension|typealias|if"
    r"|for|while|repeat|do|switch|return|guard|defer)\b)[^={}])*")
FUNCTION = re.compile(
    rf"(?<![.\w`])(?:func\s+(`?\w+`?|{OPERATOR})\s*(?=[(<])|(init)\b[?!]?\s*(?=[(<])|(deinit)\s*(?=\{{)"
    r"|(subscript)\s*(?=[(<])|(didSet|willSet)\b\s*(?:\([^)]*\)\s*)?(?=\{)"
    rf"|(?:var|let)\s+(\w+)\s*(?::{PROPERTY_TYPE})?=\s*(?=\{{)|var\s+(\w+)\s*:{PROPERTY_TYPE}(?=\{{))"
)
DECLARATION = re.compile(
    r"\s*(?:\}|@|$|(?:(?:public|package|internal|private|fileprivate|static|class|mutating|nonisolated|init"
    r"|func|var|let|subscript|associatedtype|typealias|case|struct|enum|deinit)\b))"
)
MEMBER = re.compile(
    r"\b(?:func\s+`?(?P<function>\w+)`?|(?:var|let)\s+`?(?P<property>\w+)`?"
    r"|(?P<init>init)[?!]?\s*(?=[(<])|case\s+(?P<cases>[^:=\n{}]+))")
USE = re.compile(r"(?P<dot>\.\s*)?\b(?P<name>[A-Za-z_]\w*)")
# The labels of elements of tuples, which are used like members.
TUPLE = re.compile(r"(?:->|[:\[<=(])\s*\(((?:\w+:[^():]*(?:\([^()]*\))?[^():]*)+)\)")


def blank(text):
    """The text replaced by spaces, with its line breaks."""
    return re.sub(r"[^\n]", " ", text)


def code_of(source):
    """Swift code without comments and without the text of strings, but with interpolations."""
    result, position, length = [], 0, len(source)
    opening = re.compile(r'//|/\*|#*"""|#*"')
    while match := opening.search(source, position):
        start, token = match.start(), match[0]
        result.append(source[position:start])
        if token == "//":
            end = source.find("\n", start)
            end = length if end < 0 else end
            result.append(blank(source[start:end]))
        elif token == "/*":
            end = end_of_comment(source, start)
            result.append(blank(source[start:end]))
        else:
            text, end = string_without_text(source, match.end(), token)
            result.append(blank(token) + text)
        position = end
    result.append(source[position:])
    return "".join(result)


def end_of_comment(source, start):
    depth, position = 0, start
    for match in re.compile(r"/\*|\*/").finditer(source, start):
        depth += 1 if match[0] == "/*" else -1
        position = match.end()
        if depth == 0:
            return position
    return len(source)


def string_without_text(source, position, token):
    """The replacement of a string after its opening token, and the position of its end."""
    hashes = token.rstrip('"')
    closing, escape = token[len(hashes):] + hashes, "\\" + hashes
    result = []
    while position < len(source):
        if source.startswith(escape + "(", position):
            start = position + len(escape) + 1
            end = end_of_parentheses(source, start)
            result.append(" " * (len(escape) + 1) + code_of(source[start:end - 1]) + " ")
            position = end
        elif source.startswith(escape, position):
            result.append(blank(source[position:position + len(escape) + 1]))
            position += len(escape) + 1
        elif source.startswith(closing, position):
            return "".join(result) + blank(closing), position + len(closing)
        elif source[position] == "\n" and not closing.startswith('"""'):
            break
        else:
            result.append(blank(source[position]))
            position += 1
    return "".join(result), position


def end_of_parentheses(source, position):
    depth = 1
    while position < len(source) and depth:
        if source[position] == '"':
            _, position = string_without_text(source, position + 1, '"')
            continue
        depth += {"(": 1, ")": -1}.get(source[position], 0)
        position += 1
    return position


def in_parentheses(code, position):
    """The text between the parentheses that open at the position, and the position of its end."""
    depth = 0
    for match in re.compile(r"[()]").finditer(code, position):
        depth += 1 if match[0] == "(" else -1
        if depth == 0:
            return code[position + 1:match.start()], match.end()
    return "", len(code)


def split_list(text, has_types):
    """The text split at commas outside of brackets."""
    parts, depth, start = [], 0, 0
    brackets = r"[\[\](){},]|->|[<>]" if has_types else r"[\[\](){},]"
    for match in re.finditer(brackets, text):
        if match[0] in "([{<":
            depth += 1
        elif match[0] in ")]}>":
            depth -= 1
        elif match[0] == "," and depth == 0:
            parts.append(text[start:match.start()])
            start = match.end()
    return parts + [text[start:]] if text else []


class Parameter:
    def __init__(self, text):
        head, _, rest = text.partition(":")
        words = re.sub(r"@\w+(?:\([^)]*\))?", "", head).split()
        self.label = words[0].strip("`") if words else "_"
        self.has_default = re.search(r"(?<![=!<>])=(?!=)", rest) is not None
        self.is_variadic = rest.rstrip().endswith("...") or re.match(r"\s*repeat\b", rest) is not None
        self.is_function = "->" in rest


class Use:
    """A use of a name, with the following labels of a call or closure."""

    def __init__(self, code, match):
        self.name = match["name"]
        self.is_member = match["dot"] is not None
        position = match.end()
        self.labels = None
        generic = re.compile(r"<[\w\s.,:\[\]?&]+>(?=\()").match(code, position)
        if generic:
            position = generic.end()
        if code.startswith("(", position):
            text, position = in_parentheses(code, position)
            self.labels = tuple(
                label[1] if (label := re.match(r"\s*`?(\w+)`?\s*:(?!:)", part)) else "_"
                for part in split_list(text, False))
        self.has_closure = re.compile(r"\s*\{").match(code, position) is not None


class Member:
    """A function, property, initializer or case that a file declares."""

    def __init__(self, file, kind, name, owner, parameters, visibility):
        self.file, self.kind, self.name, self.owner = file, kind, name, owner
        self.parameters = parameters
        self.is_private = visibility in ("private", "fileprivate")

    @property
    def is_in_extension(self):
        return self.owner is None or self.owner[0] == "extension"

    @property
    def owner_name(self):
        return self.owner[1] if self.owner else None

    def matches(self, use):
        """Whether the use can be of this member, by its labels."""
        if self.owner is None and use.is_member:
            return False
        if self.kind != "function" and self.kind != "init":
            return use.labels is None or self.kind == "case"
        if use.labels is None and not use.has_closure:
            return self.kind == "function" and use.is_member
        waiting = list(use.labels or ())
        for parameter in self.parameters:
            if waiting and waiting[0] == parameter.label:
                waiting.pop(0)
                while parameter.is_variadic and waiting and waiting[0] == "_":
                    waiting.pop(0)
            elif not (
                parameter.has_default or parameter.is_variadic
                or use.has_closure and parameter.is_function and not waiting
            ):
                return False
        return not waiting


class SourceFile:
    """One Swift file, without comments and strings."""

    def __init__(self, path, root):
        self.path = path
        self.name = path.relative_to(root).as_posix()
        source = path.read_text(encoding="utf-8")
        self.lines = source.count("\n")
        self.code = code_of(source)
        self.starts = [0] + [match.end() for match in re.finditer("\n", self.code)]
        self.braces, self.depths = [], []
        depth = 0
        for match in re.finditer(r"[{}]", self.code):
            depth += 1 if match[0] == "{" else -1
            self.braces.append(match.end())
            self.depths.append(depth)
        # The start and end of each block of a type, its kind and its type.
        self.blocks = [
            (match.end() - 1, self.end_of_block(match.end() - 1), match[1], match[2])
            for match in BLOCK.finditer(self.code)]
        self.types = self.declared_types()
        # A name that the file itself declares, nested or not, does not refer to another file.
        self.names = set(WORD.findall(self.code)) - {match[2] for match in TYPE.finditer(self.code)}

    def line(self, position):
        return bisect.bisect_right(self.starts, position)

    def depth(self, position):
        at = bisect.bisect_right(self.braces, position)
        return self.depths[at - 1] if at else 0

    def block_at(self, position):
        """The innermost block of a type or an extension around the position."""
        around = [block for block in self.blocks if block[0] < position < block[1]]
        return max(around, default=None)

    def visibility(self, position):
        start = self.code.rfind("\n", 0, position) + 1
        words = self.code[start:position].split()
        return next((word for word in words if word in ("private", "fileprivate")), "")

    def declared_types(self):
        """Types that other files can name unqualified: of the top level, and in extensions."""
        names = set()
        for match in TYPE.finditer(self.code):
            if self.visibility(match.start()):
                continue
            depth, block = self.depth(match.start()), self.block_at(match.start())
            if depth == 0:
                names.add(match[2])
            # An alias in an extension is usually an associated type, and other types declare the same name.
            elif depth == 1 and block and block[2] == "extension" and match[1] != "typealias":
                names.add(match[2])
        return names

    def members(self):
        """The declarations at the top level, in types and in extensions, without local names."""
        for match in MEMBER.finditer(self.code):
            position = match.start()
            depth, block = self.depth(position), self.block_at(position)
            if depth > 0 and (block is None or self.depth(block[0] + 1) != depth):
                continue
            owner = (block[2], block[3].split(".")[-1]) if block else None
            visibility = self.visibility(position)
            if match["cases"]:
                for name in re.findall(r"(?:^|,)\s*`?(\w+)", match["cases"]):
                    yield Member(self, "case", name, owner, (), visibility)
            elif match["property"]:
                yield Member(self, "property", match["property"], owner, (), visibility)
            else:
                kind = "init" if match["init"] else "function"
                opening = self.code.find("(", match.end())
                text, _ = in_parentheses(self.code, opening)
                parameters = [Parameter(part) for part in split_list(text, True)]
                yield Member(self, kind, match["function"] or "init", owner, parameters, visibility)

    def tuple_labels(self):
        """The names of elements of tuples."""
        return {
            label for match in TUPLE.finditer(self.code)
            for label in re.findall(r"(?:^|,)\s*(\w+)\s*:", match[1])}

    def local_names(self):
        """The names of variables, parameters and functions, which hide members with the same name."""
        names = set(re.findall(r"\b(?:let|var|func|case)\s+\(?`?(\w+)", self.code))
        names.update(re.findall(r"(\w+)`?\s*:(?!:)", self.code))
        for parameters in re.findall(r"\{([^{}\n]*?)\bin\b", self.code):
            names.update(re.findall(r"\w+", parameters))
        names.update(re.findall(r"\bfor\s+(?:try\s+)?(?:await\s+)?\(?(\w+(?:\s*,\s*\w+)*)\)?\s+in\b", self.code))
        return names

    def uses(self, names):
        """The uses of the given names in the file."""
        for match in USE.finditer(self.code):
            if match["name"] not in names:
                continue
            before = self.code[max(0, match.start() - 12):match.start()]
            if not re.search(r"\b(?:func|var|let|case|import|struct|class|enum|extension)\s+`?$", before):
                yield Use(self.code, match)

    def functions(self):
        """The name, the line and the number of lines of each function with a body.

        The name has the type and the labels, such as `RowPacker.pack(_:at:)`.
        """
        for match in FUNCTION.finditer(self.code):
            body = self.body(match.end())
            if body is None:
                continue
            name = next(group for group in match.groups() if group).strip("`")
            if self.code.startswith(("(", "<"), match.end()) and name not in ("didSet", "willSet"):
                text, _ = in_parentheses(self.code, self.code.find("(", match.end()))
                labels = [Parameter(part).label for part in split_list(text, True)]
                name += f"({''.join(label + ':' for label in labels)})"
            if name in ("didSet", "willSet"):
                observed = re.findall(r"\bvar +`?(\w+)", self.code[:match.start()])
                name = f"{observed[-1]}.{name}" if observed else name
            block = self.block_at(match.start())
            if block:
                name = f"{block[3]}.{name}"
            line = self.line(match.start())
            yield name, line, self.line(self.end_of_block(body)) - line + 1

    def body(self, position):
        """The position of the block of a declaration, or None without a block, as in a protocol."""
        depth = 0
        for match in re.compile(r"[\[\](){}\n]").finditer(self.code, position):
            token = match[0]
            if token in "([":
                depth += 1
            elif token in ")]":
                depth -= 1
            elif depth == 0 and token == "{":
                return match.start()
            elif depth == 0 and token == "}":
                return None
            elif depth == 0 and token == "\n":
                line = self.code[match.end():self.code.find("\n", match.end())]
                if DECLARATION.match(line):
                    return None
        return None

    def end_of_block(self, position):
        depth = 0
        for match in re.compile(r"[{}]").finditer(self.code, position):
            depth += 1 if match[0] == "{" else -1
            if depth == 0:
                return match.start()
        return len(self.code)
