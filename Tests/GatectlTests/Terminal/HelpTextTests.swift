import ArgumentParser
import Testing

@testable import gatectl

@Suite("The help in the person's language (L-07)")
struct HelpTextTests {
    private static let help = Gatectl.helpMessage(for: MoreTimeVerb.self, columns: 100_000)

    @Test("no line is wider than the terminal, and the text about an option stays in its column", arguments: [60, 80])
    func width(columns: Int) throws {
        let text = HelpText.translated(Self.help, columns: columns)
        #expect(text.split(separator: "\n").allSatisfy { $0.hasPrefix("USAGE: ") || $0.count <= columns }, "\(text)")
        let options = try #require(text.firstRange(of: "OPTIONS:"))
        for line in text[options.upperBound...].split(separator: "\n") {
            #expect(line.hasPrefix("  ") && !line.hasPrefix("   ") || line.hasPrefix(String(repeating: " ", count: 26)))
        }
        let words = Self.help.split { " \n".contains($0) }.drop { $0 == "OVERVIEW:" }
        #expect(text.split { " \n".contains($0) }.prefix(60) == words.prefix(60), "no word is lost")
    }

    @Test("Chinese text, which has no spaces, is broken by the columns that it takes")
    func wide() {
        let help =
            "OVERVIEW: " + String(repeating: "请家长回答。", count: 12) + "\n  --wait                  "
            + String(repeating: "等待家长回答。", count: 6)
        let lines = HelpText.translated(help, columns: 60).split(separator: "\n").map(String.init)
        #expect(lines.count == 6, "\(lines)")
        #expect(lines.allSatisfy { TextWidth.columns(of: $0) <= 60 }, "\(lines)")
        #expect(lines.suffix(3).allSatisfy { TextWidth.columns(of: String($0.prefix(26))) == 26 }, "\(lines)")
    }

    @Test("what ArgumentParser adds to a help is known")
    func additions() {
        let help = [
            Gatectl.helpMessage(columns: 100_000), Gatectl.helpMessage(for: HouseholdOverrideVerb.self),
            Gatectl.helpMessage(for: PeopleVerb.self),
        ].joined(separator: "\n")
        // Each of these becomes words of Gate's own, which are in the catalogues.
        for word in [
            "OVERVIEW: ", "USAGE: ", "ARGUMENTS:\n", "OPTIONS:\n", "\nSUBCOMMANDS:\n", "HOUSEHOLD SUBCOMMANDS:\n",
            "  Show the version.\n", "  Show help information.\n", "(values: child, parent)", "(default)",
            "  See 'gatectl help <subcommand>' for detailed help.",
        ] {
            #expect(help.contains(word), "ArgumentParser no longer writes “\(word)”: look at HelpText")
        }
        let text = HelpText.translated(help, columns: 80)
        #expect(text.contains("\nHOUSEHOLD:\n") && text.contains("More about a command: gatectl help <subcommand>\n"))
        #expect(text.contains("Print this help.") && !text.contains("Show help information."))
    }
}
