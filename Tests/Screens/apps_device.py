"""A folder like a device with some apps in its menu, for `gatectl apps … --root` and `gate-settings --apps-root`."""
import os
import shutil
import stat

# The kind of program, the name of its package, its title and icon in the menu, and what the package depends on.
APPS = [("program", "gnome-chess", "Chess", "applications-games", ""), ("program", "supertux2", "SuperTux", "face-cool", ""),
        ("program", "tuxpaint", "Tux Paint", "applications-graphics", ""), ("modules", "pybik", "Pybik", "", ""),
        ("program", "nautilus", "Files", "system-file-manager", ""), ("program", "nautilus-sendto", "", "", "nautilus")]
TITLES = {"gnome-chess": {"de": "Schach", "ru": "Шахматы", "zh_CN": "国际象棋"}, "nautilus": {"de": "Dateien", "ru": "Файлы", "zh_CN": "文件"}}
PACKAGE = """Package: {name}
Status: install ok installed
Priority: optional
Section: games
Maintainer: Nobody <nobody@example.org>
Architecture: all
Version: 1
Depends: {depends}
Description: for a test

"""
ENTRY = """[Desktop Entry]
Type=Application
Name={title}
{titles}Icon={icon}
Exec=/usr/games/{name}
"""


class AppsDevice:
    def __init__(self, root):
        self.root = root
        for name in ("passwd", "group", "gshadow", "shadow", "login.defs"):
            self.write(f"etc/{name}", {"passwd": "root:x:0:0:root:/root:/bin/sh\n", "group": "root:x:0:\n", "gshadow": "root:*::\n"}.get(name, ""))
        os.makedirs(self.path("var/lib/dpkg/updates"))
        self.write("var/lib/dpkg/status", "".join(PACKAGE.format(name=name, depends=depends or "base") for _, name, _, _, depends in APPS))
        for kind, name, title, icon, _ in APPS:
            self.install(kind, name, title, icon)

    def path(self, name):
        return os.path.join(self.root, name)

    def write(self, name, text, mode=0o644):
        os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(self.path(name), mode)

    def install(self, kind, name, title, icon):
        files = [f"usr/games/{name}"]
        if kind == "program":
            os.makedirs(self.path("usr/games"), exist_ok=True)
            shutil.copy("/bin/true", self.path(files[0]))
            os.chmod(self.path(files[0]), 0o755)
        else:
            self.write(files[0], f"#!/usr/bin/python3\nimport {name}\n", 0o755)
            files.append(f"usr/lib/{name}/{name}.py")
            self.write(files[1], "print('a cube')\n")
        if title:
            titles = "".join(f"Name[{language}]={text}\n" for language, text in TITLES.get(name, {}).items())
            files.append(f"usr/share/applications/{name}.desktop")
            self.write(files[-1], ENTRY.format(name=name, title=title, titles=titles, icon=icon))
        folders = {"/".join(file.split("/")[:depth]) for file in files for depth in range(1, file.count("/") + 1)}
        self.write(f"var/lib/dpkg/info/{name}.list", "".join(f"/{path}\n" for path in [".", *sorted(folders | set(files))]))

    def add_package(self):
        """What gate-settings looks for, to know that the package gate-apps is installed."""
        self.write("usr/lib/systemd/system/gate-apps.path", "")

    def list(self, names):
        """What gated writes into its runtime directory."""
        self.write("run/gated/apps", names)

    def mode(self, name):
        return stat.S_IMODE(os.stat(self.path(name)).st_mode)
