"""Sphinx's configuration of the web edition, and its links: those of the pages are relative to files of the repository."""

import html
import inspect
import os
import posixpath
import re
import sys

from docutils import nodes
from docutils.utils.math import latex2mathml
from sphinx.errors import ConfigError
from sphinx.transforms import SphinxTransform
from sphinx.util import logging

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True
from pages import BrokenPage, Site      # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
OUT = ROOT + "/build/web"

try:
    site = Site(ROOT, OUT + "/pages", OUT + "/tasks")
except BrokenPage as faults:
    raise ConfigError(str(faults)) from None
site.write()

project = html_title = site.pages["README.md"].title
extensions = ["myst_parser", "sphinx.ext.githubpages"]
try:
    import sphinx_copybutton    # noqa: F401
    extensions.append("sphinx_copybutton")
except ImportError:
    pass    # the pages are complete without copy buttons
source_suffix = {".markdown": "markdown"}
smartquotes = False
highlight_language = "none"
suppress_warnings = ["myst.header", "misc.highlighting_failure"]
myst_all_links_external = True
# As on GitHub: $...$, $$...$$ and blocks of math.
myst_enable_extensions = ["dollarmath"]
myst_dmath_allow_space = myst_dmath_allow_digits = False
html_math_renderer = "mathml"
# GitHub does not know these, so that a page may begin a line with "%" or "+++".
myst_disable_syntax = ["myst_line_comment", "myst_block_break", "myst_target", "myst_role"]

html_theme = "furo"
html_static_path = ["static"]
html_css_files = ["web.css"]
html_js_files = ["web.js"]
html_extra_path = [p for p in [OUT + "/pages.extra"] if os.path.isdir(p)]
html_copy_source = html_show_sourcelink = html_show_copyright = False
html_theme_options = {"navigation_with_keys": True}
pygments_style, pygments_dark_style = "tango", "native"
copybutton_prompt_text = "$ "

logger = logging.getLogger(__name__)


class Links(SphinxTransform):
    """Leads links and pictures to documents, and gives headings the anchors that GitHub gives them."""

    default_priority = 100

    def apply(self, **kwargs):
        document = site.documents[self.env.docname]
        self.document["title"] = site.long_title(self.env.docname)      # for the browser and the search; it names the week
        sections = list(self.document.findall(nodes.section))
        if document.slugs and len(document.slugs) != len(sections):
            logger.warning("%d headings were read and %d written", len(document.slugs), len(sections), location=self.env.docname)
        for slug, section in zip(document.slugs, sections):
            if slug not in section["ids"]:
                section["ids"].insert(0, slug)
        for link in self.document.findall(nodes.reference):
            if "refuri" in link:
                link["refuri"] = self.address(document, link["refuri"])
        sources = site.place.get((document.page.path, "sources"), [""]) if document.page else [""]
        if sources[0] not in ("", document.name):
            self.link_sources(self.env.app.builder.get_relative_uri(self.env.docname, sources[0]))
        for block in list(self.document.findall(nodes.literal_block)):
            if block.get("language") == "math":
                block.replace_self(nodes.math_block("", block.astext(), nowrap=True, number=None))
        for raw in list(self.document.findall(nodes.raw)):
            raw[:] = [nodes.Text(self.html(document, raw.astext()))]
        for picture in list(self.document.findall(nodes.image)):
            picture.replace_self(self.picture(document, picture["uri"], picture.get("alt", ""),
                                              isinstance(picture.parent, nodes.reference)))

    def link_sources(self, address):
        """Links "[4]" to the page's section "Sources", which is another document."""
        for text in list(self.document.findall(nodes.Text)):
            parts = re.split(r"(\[[0-9]+\])", text)
            if len(parts) > 1 and isinstance(text.parent, (nodes.paragraph, nodes.emphasis, nodes.strong)):
                text.parent.replace(text, [nodes.reference("", part, refuri=address) if i % 2 else nodes.Text(part) for i, part in enumerate(parts)])

    def target(self, document, href):
        try:
            return site.target(document.page, href)
        except ValueError as reason:
            logger.warning("the link to %s is broken: %s", href, reason, location=self.env.docname)
            return "outside", href

    def address(self, document, href):
        kind, where, *anchor = self.target(document, href)
        builder, here = self.env.app.builder, self.env.docname
        if kind == "document":
            return builder.get_relative_uri(here, where) + ("#" + anchor[0] if anchor[0] else "")
        if kind == "file" and where in site.shown:
            return builder.get_relative_uri(here, site.shown[where])
        if kind == "file":
            return posixpath.relpath(site.copied[where], posixpath.dirname(here) or ".")
        if kind == "picture":
            return posixpath.relpath("pictures/" + where, posixpath.dirname(here) or ".")
        return href

    def picture(self, document, href, alt, linked):
        """A picture that links to its file, for web.js to enlarge. One elsewhere on the web is replaced by its text."""
        if self.target(document, href)[0] != "picture":
            return nodes.Text(alt)
        address, alt = html.escape(self.address(document, href)), html.escape(alt)
        shown = f'<img src="{address}" alt="{alt}" loading="lazy">'
        return nodes.raw("", shown if linked else f'<a class="picture" href="{address}">{shown}</a>', format="html")

    def html(self, document, text):
        text = re.sub(r"<!--.*?-->", "", text, flags=re.S)
        return re.sub(r"""(\b(?:href|src|srcset)=["'])([^"']+)""", lambda m: m[1] + self.address(document, m[2]), text)


def add_navigation(app, name, template, context, document):
    def address(to):
        return app.builder.get_relative_uri(name, to)

    context["toctree"] = lambda **options: site.navigation(name, address)
    if document and site.parents(name):
        context["body"] = site.breadcrumbs(name, address) + context["body"]


def write_math(translator, node):
    """MathML, which browsers show without a script. Versions of docutils name the argument differently."""
    block, convert = isinstance(node, nodes.math_block), latex2mathml.tex2mathml
    style = {"inline": not block} if "inline" in inspect.signature(convert).parameters else {"as_block": block}
    translator.body.append(convert(node.astext(), **style))
    raise nodes.SkipNode


def embed_styles(app, error):
    """Debian 12's Furo imports a style sheet from the path that Debian's web servers have for it."""
    def embedded(match):
        path = "/usr/share" + match[1]
        return read(path) if os.path.exists(path) else ""

    def read(path):
        with open(path, encoding="utf-8") as file:
            return file.read()

    style = os.path.join(app.outdir, "_static/styles/furo.css")
    if not error and os.path.exists(style):
        text = re.sub(r"@import url\((/javascript/[^)]*)\);", embedded, read(style))
        with open(style, "w", encoding="utf-8") as file:
            file.write(text)


def setup(app):
    app.add_transform(Links)
    app.add_html_math_renderer("mathml", inline_renderers=(write_math, None), block_renderers=(write_math, None))
    app.connect("html-page-context", add_navigation, priority=400)     # before Furo reads the context
    app.connect("build-finished", embed_styles)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
