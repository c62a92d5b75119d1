import FoundationEssentials
import GateGuardians
package import GateModel

/// A question of this device, in the form in which it is published for Home Assistant.
package struct HomeAssistantQuestion: Hashable, Sendable {
    /// A number that no other question of this device has or had.
    package var number: UInt64
    /// The kind of question, like "confirm".
    package var kind: String
    /// When it was asked, by this device's clock.
    package var askedAt: WallTime
    /// The words; `nil` if Home Assistant may not have them.
    package var words: String?
    /// When it ends if nobody answers it before.
    package var expires: BootTime

    package init(number: UInt64, kind: String, askedAt: WallTime, words: String?, expires: BootTime) {
        self.number = number
        self.kind = kind
        self.askedAt = askedAt
        self.words = words
        self.expires = expires
    }

    /// Without a question each key has `null`, because Home Assistant's templates read them all.
    package static func json(_ question: HomeAssistantQuestion?) -> [UInt8] {
        SortedJSON.bytes(
            of: Content(
                request: question?.number, kind: question?.kind, asked: question?.askedAt.utcText,
                words: question?.words))
    }

    private struct Content: Encodable {
        var request: UInt64?
        var kind: String?
        var asked: String?
        var words: String?

        private enum CodingKeys: CodingKey {
            case request, kind, asked, words
        }

        /// Writes absent values as `null`.
        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(request, forKey: .request)
            try container.encode(kind, forKey: .kind)
            try container.encode(asked, forKey: .asked)
            try container.encode(words, forKey: .words)
        }
    }
}
