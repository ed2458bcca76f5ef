"""HTML and SVG as trees, so that all text is escaped when it is written."""

from xml.etree.ElementTree import Element, tostring


def node(tag: str, *content: Element | str, **attributes: object) -> Element:
    """An element. `class_="number"` becomes `class="number"`, and `stroke_width=2` becomes `stroke-width="2"`."""
    named = {name.rstrip("_").replace("_", "-"): str(value) for name, value in attributes.items()}
    made = Element(tag, named)
    for item in content:
        if isinstance(item, Element):
            made.append(item)
        elif len(made):
            made[-1].tail = (made[-1].tail or "") + item
        else:
            made.text = (made.text or "") + item
    return made


def table(caption: str, head: list[str], rows: list[list[Element | str]]) -> Element:
    """A table whose first column has names and whose other columns have numbers. Wide ones scroll sideways."""
    heads = node("tr", *(node("th", text, scope="col") for text in head))
    body = [node("tr", node("th", row[0], scope="row"), *(node("td", cell) for cell in row[1:])) for row in rows]
    made = node("table", node("caption", caption), node("thead", heads), node("tbody", *body))
    return node("div", made, class_="scrolls", tabindex="0", role="region", aria_label=caption)


def page_text(root: Element) -> str:
    """A whole page as the text of its file."""
    return f"<!DOCTYPE html>\n{tostring(root, encoding='unicode', method='html')}\n"
