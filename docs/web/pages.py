"""Turns the Markdown pages of the course into the documents of its web edition.

A page is a Markdown file of the repository, written for GitHub. A document is a file that Sphinx reads. A long page becomes
several documents, one per section. Each program that a week has, and each file that a page refers to, becomes a document with
its text. Nothing here knows the name of a week: a week is a folder NN_name with a Makefile.
"""

import html
import os
import re
import shutil
import urllib.parse

from markdown_it import MarkdownIt
from mdit_py_plugins.footnote import footnote_plugin

PAGE_WORDS = 2000       # a page with more words is split at its headings of level 2
SECTION_WORDS = 400     # and a section of it with more words, and at least
SECTION_HEADS = 4       # as many headings of level 3, at these
LARGEST_TEXT = 400000   # bytes; a larger file is copied, and has no document

SKIPPED_FOLDERS = {"build", "results", "node_modules", "__pycache__"}
SKIPPED_PATHS = {"plots/out", "docs/web", "tests/fixture"}
FIRST_PAGES = ["docs/start.md"]             # before the weeks
DECKS = re.compile(r"\.(pdf|pptx|html)$")

LANGUAGES = {".cu": "cuda", ".cuh": "cuda", ".c": "c", ".cpp": "cpp", ".sh": "bash", ".t": "bash", ".sbatch": "bash",
             ".mk": "make", ".awk": "awk", ".gp": "gnuplot", ".py": "python", ".yml": "yaml", ".md": "markdown"}


class BrokenPage(Exception):
    """What is wrong with the pages: one line per fault."""


def parser():
    return MarkdownIt("commonmark").enable("table").use(footnote_plugin).disable("footnote_tail")


def slug_of(title):
    """The anchor of a heading, as GitHub forms it."""
    return re.sub(r"[^\w\- ]", "", title.strip().lower()).replace(" ", "-")


def words(lines):
    return len(re.sub(r"<!--.*?-->", "", "\n".join(lines), flags=re.S).split())


def inside(path, folder):
    return path.startswith(folder + "/")


class Heading:
    def __init__(self, line, level, title, slug):
        self.line, self.level, self.title, self.slug = line, level, title, slug


class Page:
    """A Markdown file: its lines, headings, links, and the definitions of its footnotes and links."""

    def __init__(self, root, path):
        self.path = path
        with open(os.path.join(root, path), encoding="utf-8") as file:
            self.lines = file.read().split("\n")
        environment = {}
        tokens = parser().parse("\n".join(self.lines), environment)
        self.headings, self.links, self.pictures = [], [], {}
        self.footnotes, self.hidden = {}, set()     # label: lines of its definition; the numbers of these lines
        self.references = []
        self._read(tokens)
        for name, reference in environment.get("references", {}).items():
            self.references.append(f"[{name}]: <{reference['href']}>")

    def _read(self, tokens):
        seen, line = {}, 0
        for i, token in enumerate(tokens):
            line = token.map[0] if token.map else line
            if token.type == "heading_open" and token.level == 0:
                title = "".join(t.content for t in tokens[i + 1].children if t.type in ("text", "code_inline"))
                slug = slug_of(title)
                count = seen[slug] = seen.get(slug, -1) + 1
                self.headings.append(Heading(line, int(token.tag[1]), title, f"{slug}-{count}" if count else slug))
            elif token.type == "footnote_reference_open" and token.map:
                self.footnotes[token.meta["label"]] = self.lines[token.map[0]:token.map[1]]
                self.hidden.update(range(*token.map))
            elif token.type == "html_block":
                self._read_html(token.content, line)
            for child in token.children or []:
                if child.type == "link_open":
                    self.links.append((line, child.attrs["href"]))
                elif child.type == "image":
                    self.links.append((line, child.attrs["src"]))
                    self.pictures[child.attrs["src"]] = child.content
                elif child.type == "html_inline":
                    self._read_html(child.content, line)

    def _read_html(self, text, line):
        text = re.sub(r"<!--.*?-->", "", text, flags=re.S)
        self.links += [(line, href) for href in re.findall(r"""\b(?:href|src|srcset)=["']([^"']+)""", text)]

    @property
    def title(self):
        return self.headings[0].title if self.headings else self.path

    @property
    def folder(self):
        return os.path.dirname(self.path)


class Document:
    """What Sphinx reads: its name, the page it comes from (or None), its text, the anchors of its headings in order, and the
    documents below it."""

    def __init__(self, name, title, page=None):
        self.name, self.title, self.page = name, title, page
        self.lines, self.slugs, self.children = [], [], []
        self.tail = []      # generated lines that follow the page's own
        self.orphan = False


class Site:
    def __init__(self, root, out, tasks=None):
        self.root, self.out, self.tasks = root, out, tasks
        # Where a reader edits a page: https://github.com/NAME/cuda-ladder/edit/main
        self.edit_url = os.environ.get("EDIT_URL", "").rstrip("/")
        self.pages, self.documents, self.place, self.copied = {}, {}, {}, {}
        self.shown = {}         # path of a file: the name of its document
        self.pictures = set()   # paths
        self.referring = {}     # path of a file: names of the documents that refer to it
        self.faults = []
        for path in self._markdown():
            self.pages[path] = Page(root, path)
        if "README.md" not in self.pages:
            raise BrokenPage("README.md: there is no such page; it is the first one of the web edition")
        self.weeks = sorted(p.split("/")[0] for p in self.pages if re.fullmatch(r"[0-9][0-9]_[^/]*/README\.md", p)
                            and self._exists(p.replace("README.md", "Makefile")))
        for page in self.pages.values():
            if not page.headings or page.headings[0].level != 1:
                self.faults.append(f"{page.path}:1: a page starts with a heading of level 1, for example # Title")
            self._split(page)
        for week in self.weeks:
            self._add_programs(week)
        for page in self.pages.values():
            for line, href in page.links:
                self._follow(page, line, href)
        if self.faults:
            raise BrokenPage("\n".join(self.faults))
        self._add_figures()
        self._add_decks()
        self._order()

    # --- files

    def _exists(self, path):
        return os.path.exists(os.path.join(self.root, path))

    def _markdown(self):
        found = []
        for folder, folders, files in os.walk(self.root):
            here = os.path.relpath(folder, self.root).replace(os.sep, "/")
            here = "" if here == "." else here + "/"
            folders[:] = sorted(f for f in folders if f not in SKIPPED_FOLDERS and f[0] != "." and here + f not in SKIPPED_PATHS)
            for file in sorted(files):
                if file.endswith(".md") and not self._is_deck(here + file):
                    found.append(here + file)
        return found

    def _is_deck(self, path):
        """Pandoc's decks start with a title block of lines "% ...", and are no pages."""
        with open(os.path.join(self.root, path), encoding="utf-8") as file:
            return file.read(1) == "%"

    def _text(self, path):
        """The text of a file, or None for a large one and for one that is no text. Of an exercise it is the task."""
        full = os.path.join(self.root, path)
        task = self.tasks and os.path.join(self.tasks, path.replace("/exercises/", "/"))
        if task and "/exercises/" in path and os.path.exists(task):
            full = task
        if os.path.getsize(full) > LARGEST_TEXT:
            return None
        try:
            with open(full, encoding="utf-8") as file:
                return file.read()
        except UnicodeDecodeError:
            return None

    # --- pages

    def _name(self, path):
        folder, file = os.path.split(path[:-len(".md")])
        return "/".join(filter(None, [folder, "index" if file == "README" else file]))

    def _add(self, document):
        if document.name.lower() in (n.lower() for n in self.documents):
            self.faults.append(f"{document.name}: two pages of the web edition have this name; rename a file or a heading")
        self.documents[document.name] = document
        return document

    def _split(self, page):
        name = self._name(page.path)
        below = os.path.dirname(name) if os.path.basename(name) == "index" else name
        self._part(page, name, below, 0, len(page.lines), 1, page.title)

    def _part(self, page, name, below, begin, end, level, title):
        """Adds the document of the lines from begin to end, whose own heading has this level, and those of its sections."""
        document = self._add(Document(name, title, page))
        heads = [h for h in page.headings if begin < h.line < end and h.level == level + 1]
        least, most = (2, PAGE_WORDS) if level == 1 else (SECTION_HEADS, SECTION_WORDS)
        if name == "index" or level > 2 or len(heads) < least or words(page.lines[begin:end]) <= most:
            heads = []
        own = heads[0].line if heads else end
        self._fill(document, page, begin, own, level)
        for head, stop in zip(heads, [h.line for h in heads[1:]] + [end]):
            child = self._part(page, "/".join(filter(None, [below, head.slug])), below, head.line, stop, level + 1, head.title)
            document.children.append(child)
        return document

    def _fill(self, document, page, begin, end, level):
        lines = list(page.lines[begin:end])
        for head in page.headings:
            if begin <= head.line < end:
                lines[head.line - begin] = lines[head.line - begin].lstrip()[level - 1:]
                document.slugs.append(head.slug)
                self.place[page.path, head.slug] = (document.name, "" if head.line == begin and level > 1 else head.slug)
        for slug in re.findall(r"""<[^>]*\b(?:id|name)=["']([^"']+)""", "\n".join(lines)):
            self.place.setdefault((page.path, slug), (document.name, slug))
        document.lines = ["" if begin + i in page.hidden else line for i, line in enumerate(lines)]
        text = "\n".join(document.lines)
        for label, note in page.footnotes.items():
            if f"[^{label}]" in text:
                document.lines += [""] + note
        document.lines += [""] + page.references

    # --- links

    def target(self, page, href):
        """Where a link of a page leads: ("document", name, anchor), ("file", path), ("picture", path) or ("outside", href).
        Raises ValueError, with the reason, if it leads nowhere."""
        if href.startswith("doc:"):
            return "document", href[len("doc:"):], ""
        if re.match(r"[a-z][a-z0-9+.-]*:|//", href, re.I):
            return "outside", href
        path, _, anchor = urllib.parse.unquote(href).partition("#")
        path = os.path.normpath(os.path.join(page.folder if page else "", path)) if path else page.path
        if path == ".." or inside(path, ".."):
            raise ValueError("it leads out of the repository")
        if not self._exists(path):
            raise ValueError("there is no such file")
        if os.path.isdir(os.path.join(self.root, path)):
            readme = os.path.normpath(os.path.join(path, "README.md"))
            return ("document", self._name(readme), "") if readme in self.pages else ("file", path)
        if path in self.pages:
            if anchor and (path, anchor) not in self.place:
                raise ValueError("that page has no such heading")
            return ("document",) + (self.place[path, anchor] if anchor else (self._name(path), ""))
        if path.lower().endswith((".svg", ".png", ".jpg", ".jpeg", ".gif", ".webp")):
            return "picture", path
        return "file", path

    def _follow(self, page, line, href):
        try:
            kind, where = self.target(page, href)[:2]
        except ValueError as reason:
            self.faults.append(f"{page.path}:{line + 1}: the link to {href} is broken: {reason}")
            return
        if kind == "picture":
            self.pictures.add(where)
        elif kind == "file":
            self._show(where)
            self.referring.setdefault(where, [])
            name = self._document_at(page, line)
            if name not in self.referring[where]:
                self.referring[where].append(name)

    def _document_at(self, page, line):
        heads = [h for h in page.headings if h.line <= line]
        return self.place[page.path, heads[-1].slug][0] if heads else self._name(page.path)

    # --- sources

    def _show(self, path):
        """Adds the document of a file or folder."""
        if path in self.shown or path in self.copied:
            return
        if os.path.isdir(os.path.join(self.root, path)):
            self.shown[path] = path + "/files"
            document = self._add(Document(path + "/files", path))
            files = sorted(f for f in os.listdir(os.path.join(self.root, path)) if os.path.isfile(os.path.join(self.root, path, f)))
            document.lines = [f"# {path}", ""] + [f"- [{f}]({urllib.parse.quote(path + '/' + f)})" for f in files if f[0] != "."]
            document.orphan = True
            for file in files:
                self._show(path + "/" + file)
            return
        text = self._text(path)
        if text is None:
            self.copied[path] = "files/" + path
            return
        name = re.sub(r"(^|/)\.", r"\1", path)      # what publishes a site may omit hidden folders
        self.shown[path] = name if os.path.splitext(name)[1] else name + "_file"
        document = self._add(Document(self.shown[path], os.path.basename(path)))
        fence = "`" * max([3] + [len(m) + 1 for m in re.findall(r"`{3,}", text)])
        language = LANGUAGES.get(os.path.splitext(path)[1], "make" if path.endswith("Makefile") else "text")
        if path.endswith(".h"):
            language = "cuda"
        document.orphan = True
        document.lines = [f"# {os.path.basename(path)}", "", f"`{path}`", ""]
        document.tail = ["", f"{fence}{{code-block}} {language}", ":class: source", ":linenos:", "", text.rstrip("\n"), fence]

    def _says(self, path):
        """The first line of a program's head, after its name."""
        first = (self._text(path) or "").split("\n", 1)[0]
        match = re.match(r"(?://|/\*|#)\s*(?:[\w.]+:\s+)?(.*?)\s*(?:\*/)?$", first)
        return match.group(1) if match else ""

    def _add_programs(self, week):
        """Adds a document for each program of a week, and one that lists them."""
        def number(file):
            return [int(s) if s.isdigit() else s for s in re.split(r"(\d+)", file)]

        folder = os.path.join(self.root, week)
        files = sorted((f for f in os.listdir(folder) if re.search(r"\.(cu|cuh|c|h|cpp)$", f)), key=number)
        # Files that `make stage3` or `make exercise N=1` put beside the sources are links, or a student's work.
        files = [f for f in files if not os.path.islink(os.path.join(folder, f)) and not f.startswith("exercise")]
        masters = os.path.join(folder, "exercises")
        tasks = sorted((f for f in os.listdir(masters) if f.endswith(".cu")), key=number) if os.path.isdir(masters) else []
        tasks = [f for f in tasks if self.tasks and os.path.exists(os.path.join(self.tasks, week, f))]
        groups = [("Stages", [f for f in files if f.startswith("stage") and f.endswith(".cu")]),
                  ("References", [f for f in files if f.startswith("ref_")]),
                  ("Demonstrations", [f for f in files if f.startswith("demo_")]),
                  ("Exercises", ["exercises/" + f for f in tasks])]
        groups.append(("Other files", [f for f in files if not any(f in g for _, g in groups)]))
        document = self._add(Document(week + "/programs", "Programs and exercises"))
        document.lines = ["# Programs and exercises"]
        for title, group in groups:
            document.lines += ["", f"## {title}", "", "| file | content |", "|---|---|"] if group else []
            for file in group:
                self._show(f"{week}/{file}")
                says = self._says(f"{week}/{file}").replace("|", "\\|")
                document.lines.append(f"| [{os.path.basename(file)}]({week}/{file}) | {says} |")
        self.documents[week + "/index"].children.append(document)

    # --- figures and decks

    def _drawn(self, folder):
        full = os.path.join(self.root, folder)
        return sorted(os.listdir(full)) if os.path.isdir(full) else []

    def _add_figures(self):
        """Adds the gallery: every picture of the pages, and those that were drawn on this machine, by week."""
        says, shown_in = {}, {}
        for page in self.pages.values():
            for line, href in page.links:
                if href in page.pictures:
                    path = self.target(page, href)[1]
                    says.setdefault(path, page.pictures[href])
                    shown_in.setdefault(path, self._document_at(page, line))
        paths = {}
        for folder in ("plots/out", "plots/readme"):    # of two pictures of one name, that of the pages
            paths.update({f: f"{folder}/{f}" for f in self._drawn(folder) if f.endswith(".svg")})
        groups = [(w, self.pages[w + "/README.md"].title, w + "_") for w in self.weeks]
        groups += [("drawings", "Drawings", "drawing_"), ("others", "All weeks", "")]
        gallery = Document("figures/index", "Gallery")
        gallery.lines = ["# Gallery", "", "All figures and drawings. Click a picture to enlarge it."]
        for group, title, prefix in groups:
            files = sorted(f for f in paths if f.startswith(prefix))
            if not files:
                continue
            document = self._add(Document("figures/" + group, title))
            document.lines = [f"# {title}", ""]
            for file in files:
                path = paths.pop(file)
                self.pictures.add(path)
                name = file[len(prefix):-len(".svg")].replace("_", " ")
                where = shown_in.get(path)
                document.lines += [f"## {name.capitalize()}", "", f"![{says.get(path, name)}]({path})", "", says.get(path, "")]
                document.lines += [f"([{self.documents[where].title}](doc:{where}))"] if where else []
                document.lines.append("")
            gallery.children.append(document)
        if gallery.children:
            self._add(gallery)

    def _add_decks(self):
        folder = "plots/out/slides"
        decks = [f"{folder}/{f}" for f in self._drawn(folder) if DECKS.search(f)]
        if decks:
            document = self._add(Document("slides", "Slides"))
            document.lines = ["# Slides", "", "The decks of the lectures, to download:", ""]
            for deck in decks:
                file = os.path.basename(deck)
                week = next((self.pages[w + "/README.md"].title + ": " for w in self.weeks if file.startswith(w + "_")), "")
                document.lines.append(f"- {week}[{file}]({deck})")
            self.copied.update({d: "files/" + d for d in decks})

    # --- order

    def _order(self):
        """Puts every document below another one, and sets the table of contents of the first page."""
        def names(paths):
            return [self._name(p) for p in paths]

        for week in self.weeks:
            index = self.documents[week + "/index"]
            programs = index.children.pop()
            # The parts of the week, then the pages behind them, whose names begin with a capital letter.
            pages = sorted((p for p in self.pages if inside(p, week) and p != week + "/README.md"),
                           key=lambda p: (os.path.basename(p)[0].isupper(), p))
            index.children += [self.documents[self._name(p)] for p in pages] + [programs]
        first = [p for p in FIRST_PAGES if p in self.pages]
        docs = [p for p in self.pages if inside(p, "docs") and p not in first]
        taken = set(first + docs + ["README.md"])
        rest = [p for p in self.pages if p not in taken and p.split("/")[0] not in self.weeks]
        more = [n for n in ("figures/index", "slides") if n in self.documents]
        self.contents = [("Course", names(first) + [w + "/index" for w in self.weeks]),
                         ("Reference", names(docs) + more),
                         ("About", names(sorted(rest, key=lambda p: (-p.count("/"), p))))]
        self.above = {c.name: d.name for d in self.documents.values() for c in d.children}

    # --- navigation

    def parents(self, name):
        """The names of the documents above one, the nearest first."""
        above, week = self.above.get(name), name.split("/")[0]
        if not above and self.documents[name].orphan and week in self.weeks:
            above = week + "/programs"
        return [above] + self.parents(above) if above else []

    def navigation(self, name, address):
        """The table of contents beside a document, as Sphinx writes it: all documents of the first level, and those below
        its own. Sphinx's own function would take most of the time of the build. address(NAME) is the link to a document."""
        line = [name] + self.parents(name) if name in self.documents else []

        def items(names, level):
            text = ""
            for n in names:
                document = self.documents[n]
                current = " current" if n in line else ""
                below = items([c.name for c in document.children], level + 1) if current and document.children else ""
                text += (f'<li class="toctree-l{level}{current}"><a class="reference internal{current if n == name else ""}" '
                         f'href="{html.escape(address(n))}">{html.escape(document.title)}</a>{below}</li>')
            return f"<ul>{text}</ul>"

        return "".join(f'<p class="caption" role="heading"><span class="caption-text">{caption}</span></p>{items(names, 1)}'
                       for caption, names in self.contents if names)

    def breadcrumbs(self, name, address):
        """The documents above one, as links."""
        links = [f'<a href="{html.escape(address(n))}">{html.escape(self.documents[n].title)}</a>' for n in self.parents(name)[::-1]]
        return f'<nav class="breadcrumbs">{" / ".join(links)}</nav>'

    # --- output

    def write(self):
        """Writes the documents, pictures and copied files into an empty folder."""
        for document in self.documents.values():
            path = os.path.join(self.out, document.name + ".markdown")
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8") as file:
                file.write(self._written(document))
        for path in self.pictures:
            self._copy(path, os.path.join(self.out + ".extra/pictures", path))
        for path, to in self.copied.items():
            self._copy(path, os.path.join(self.out + ".extra", to))

    def _copy(self, path, to):
        os.makedirs(os.path.dirname(to), exist_ok=True)
        shutil.copyfile(os.path.join(self.root, path), to)

    def _written(self, document):
        lines = list(document.lines)
        if document.orphan:
            lines = ["---", "orphan: true", "---"] + lines
        elif inside(document.name, "figures"):      # the pages that explain the figures are found
            lines = ["---", "nosearch: true", "---"] + lines
        path = next((p for p, n in self.shown.items() if n == document.name), None)
        if self.referring.get(path):
            links = "; ".join(f"[{self.long_title(n)}](doc:{n})" for n in self.referring[path])
            lines += [f"Pages that refer to it: {links}."]
        lines += document.tail
        if self.edit_url and document.page and document.name != "index":
            lines += ["", f"[Edit this page]({self.edit_url}/{document.page.path})"]
        if document.name == "index":
            for caption, names in filter(lambda c: c[1], self.contents):
                lines += ["", "```{toctree}", ":hidden:", ":titlesonly:", f":caption: {caption}", ""] + ["/" + n for n in names] + ["```"]
        elif document.children:
            lines += ["", "```{toctree}", ":titlesonly:", ":maxdepth: 2", ""] + ["/" + c.name for c in document.children] + ["```"]
        return "\n".join(lines) + "\n"

    def long_title(self, name):
        """The title of a document, after that of the week it is in."""
        document = self.documents[name]
        week = name.split("/")[0]
        if week in self.weeks and name != week + "/index":
            return f"{self.pages[week + '/README.md'].title.split(':')[0]}, {document.title}"
        return document.title
