// Enlarges a picture that was clicked; a click or the Escape key closes it. Without this script the link opens the picture's file.
document.addEventListener("click", event => {
    const link = event.target.closest("a.picture");
    const open = document.querySelector(".enlarged");

    if (open) {
        open.remove();
    } else if (link && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
        const box = document.createElement("div");
        const picture = document.createElement("img");
        event.preventDefault();
        picture.src = link.href;
        picture.alt = link.querySelector("img").alt;
        box.className = "enlarged";
        box.append(picture);
        document.body.append(box);
    }
});
document.addEventListener("keydown", event => {
    if (event.key === "Escape")
        document.querySelector(".enlarged")?.remove();
});

// The script of some versions of the theme does not run, and their style does not follow the system: then this does both.
addEventListener("load", () => {
    const root = document.documentElement, theme = document.body.dataset;
    const dark = matchMedia("(prefers-color-scheme: dark)");

    if (!root.classList.contains("no-js"))
        return;
    root.classList.remove("no-js");
    if (theme.theme === "auto")
        theme.theme = dark.matches ? "dark" : "light";
    for (const button of document.querySelectorAll(".theme-toggle"))
        button.addEventListener("click", () => {
            theme.theme = theme.theme === "dark" ? "light" : "dark";
            localStorage.setItem("theme", theme.theme);
        });
});
