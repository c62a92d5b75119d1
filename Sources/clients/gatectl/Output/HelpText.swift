import ArgumentParser
import GateTexts
import Glibc

/// The help of a verb (`--help`) in the person's language. The verbs say what they do themselves; this has the words that
/// ArgumentParser adds in English. It also breaks the lines, because ArgumentParser does not know that a Chinese
/// character takes two columns, and that it needs no space beside it.
enum HelpText {
    /// Where ArgumentParser begins the text about an option.
    private static let textColumn = 26

    /// - Returns: `nil` if `error` is not a request for help, or if the help is in English.
    static func ofPerson(_ error: any Error) -> String? {
        guard Localization.isTranslating, Gatectl.exitCode(for: error) == .success else { return nil }
        // So wide that ArgumentParser breaks no line.
        let help = Gatectl.fullMessage(for: error, columns: 100_000)
        guard help.hasPrefix(overview) || help.hasPrefix(usage) else { return nil }
        return translated(help, columns: Terminal.columns(of: STDOUT_FILENO) ?? 80)
    }

    static func translated(_ help: String, columns: Int) -> String {
        let lines = help.split(separator: "\n", omittingEmptySubsequences: false)
        return lines.flatMap { broken(translated(String($0)), columns: columns) }.joined(separator: "\n") + "\n"
    }

    private static let overview = "OVERVIEW: "
    private static let usage = "USAGE: "
    private static let subcommands = "SUBCOMMANDS:"
    private static let more = (before: "  See '", after: " for detailed help.")

    private static func translated(_ line: String) -> String {
        switch line {
        case "ARGUMENTS:": return localized("ARGUMENTS:")
        case "OPTIONS:": return localized("OPTIONS:")
        case subcommands: return localized("COMMANDS:")
        case _ where line.hasPrefix(overview): return String(line.dropFirst(overview.count))
        case _ where line.hasPrefix(usage):
            return localized("USAGE: {line}", ["line": String(line.dropFirst(usage.count))])
        // The verbs of a group.
        case _ where line.hasSuffix(subcommands): return line.dropLast(subcommands.count + 1) + ":"
        case _ where line.hasPrefix(more.before) && line.hasSuffix(more.after):
            let command = line.dropFirst(more.before.count).dropLast(more.after.count + 1)
            return localized("More about a command: {command}", ["command": String(command)])
        case _: break
        }
        for (end, translation) in [
            ("  Show the version.", localized("Print the version.")),
            ("  Show help information.", localized("Print this help.")),
        ] where line.hasSuffix(end) {
            return line.dropLast(end.count - 2) + translation
        }
        // The verb that is run if none is named. The next column stays where it is.
        if let mark = line.prefix(textColumn).firstRange(of: "(default)") {
            let name = line[..<mark.lowerBound] + "(" + localized("default") + ")"
            let gap = max(1, textColumn - TextWidth.columns(of: String(name)))
            return name + String(repeating: " ", count: gap) + line.dropFirst(textColumn)
        }
        return line.replacing("(default: ", with: "(" + localized("default: "))
            .replacing("(values: ", with: "(" + localized("values: "))
            .replacing("; default: ", with: "; " + localized("default: "))
    }

    /// Breaks a line so that it fits. The text about an option stays in its column.
    private static func broken(_ line: String, columns: Int) -> [String] {
        guard TextWidth.columns(of: line) > columns, !line.hasPrefix("gatectl") else { return [line] }
        guard line.hasPrefix("  "), columns > 2 * textColumn else { return TextWidth.wrapped(line, columns: columns) }
        let rest = TextWidth.wrapped(String(line.dropFirst(textColumn)), columns: columns - textColumn)
        let indentation = String(repeating: " ", count: textColumn)
        return [line.prefix(textColumn) + rest[0]] + rest.dropFirst().map { indentation + $0 }
    }
}
