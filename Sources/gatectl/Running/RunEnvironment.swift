import GateModel

/// The environment of a command that was shown. Without what changes which code an interpreter or a loader runs: nobody who
/// was asked has seen that.
enum RunEnvironment {
    /// Names that begin like this are left out.
    static let clearedPrefixes = [
        // The dynamic loader and the C library.
        "LD_", "MALLOC_", "GLIBC_",
        // Shells: functions, and what they read first.
        "BASH_FUNC_", "BASH_",
        // Interpreters and their packages.
        "OPENSSL_", "GIT_", "PYTHON", "PERL", "RUBY", "GEM_", "BUNDLE_", "NODE_", "NPM_", "LUA_", "PHP", "TCL",
        "GUILE_", "R_", "JULIA_",
        "ERL_",
        "DOTNET_", "MONO_", "CORECLR_",
        // Modules that toolkits and graphics load.
        "GTK_", "GTK2_", "GTK3_", "GIO_", "GST_PLUGIN", "GDK_PIXBUF_MODULE", "QT_PLUGIN", "QT_QPA_PLATFORM_PLUGIN",
        "QML",
        "VK_", "LIBGL_DRIVERS", "__EGL_", "__GLX_", "SDL_DYNAMIC", "SDL3_DYNAMIC", "ALSA_CONFIG",
    ]

    /// And these.
    static let clearedNames: Set<String> = [
        "GCONV_PATH", "GETCONF_DIR", "HOSTALIASES", "LOCALDOMAIN", "LOCPATH", "NIS_PATH", "NLSPATH", "RESOLV_HOST_CONF",
        "RES_OPTIONS", "TZDIR", "ENV", "SHELLOPTS", "PS4", "CDPATH", "GLOBIGNORE", "IFS", "ZDOTDIR", "FPATH",
        "CLASSPATH",
        "JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS", "JDK_JAVA_OPTIONS", "JAVA_HOME", "BROWSER", "EDITOR", "VISUAL", "PAGER",
        "SHELL",
    ]

    /// Where commands are looked for if nothing of PATH is left.
    static let systemPath = "/usr/local/bin:/usr/bin:/bin"

    /// - Parameter variables: NAME=VALUE.
    /// - Returns: them without what is cleared; of PATH the folders that root alone can change.
    static func cleared(_ variables: [String]) -> [String] {
        variables.compactMap { variable in
            let (name, value) = variable.cut(atFirst: "=") ?? (variable, "")
            guard !clearedNames.contains(name), !clearedPrefixes.contains(where: name.starts(withBytesOf:)) else {
                return nil
            }
            return name == "PATH" ? "PATH=\(path(value))" : variable
        }
    }

    static func path(_ searchPath: String) -> String {
        let folders = RootOnly.folders(of: searchPath)
        return folders.isEmpty ? systemPath : folders.joined(separator: ":")
    }
}
