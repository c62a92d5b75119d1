import Foundation

/// Texts that somebody may write who wants to move, to imitate or to hide Gate's words: `texts.json`, which `Tests/Screens` reads, too.
package enum HostileTexts {
    /// Each of them, made of pieces: a text, or a text and how often it comes.
    package static let all: [String] = {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "texts.json")
        do {
            return try JSONDecoder().decode([[Piece]].self, from: Data(contentsOf: file)).map {
                $0.map(\.text).joined()
            }
        } catch {
            preconditionFailure("\(file.path): \(error)")
        }
    }()

    private struct Piece: Decodable {
        let text: String

        init(from decoder: any Decoder) throws {
            if let text = try? decoder.singleValueContainer().decode(String.self) {
                self.text = text
                return
            }
            var pair = try decoder.unkeyedContainer()
            let text = try pair.decode(String.self)
            self.text = String(repeating: text, count: try pair.decode(Int.self))
        }
    }
}
