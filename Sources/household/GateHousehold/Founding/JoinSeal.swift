import Crypto
import FoundationEssentials

/// Seals what the two devices write to each other while one joins: by keys that follow from the code, one for each kind of message, so
/// that the broker reads nothing and nothing of one kind passes for another. Each message names what it answers, so that none can be
/// put in the place of another.
package struct JoinSeal: Sendable {
    /// The kinds of messages.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        /// From the newcomer: who it is.
        case request
        /// From the inviting device: certificate, list, household; or no.
        case answer
        /// From the newcomer: it is a member now.
        case receipt
    }

    /// The most bytes of a request or a receipt, sealed.
    package static let requestByteCount = 8 << 10
    /// The most bytes of an answer, sealed: it has the list, and two certificates.
    package static let answerByteCount = HouseholdLimits.listBytes + requestByteCount

    private static let version: UInt8 = 1
    private let code: JoinCode

    /// Makes a seal of this code.
    package init(_ code: JoinCode) {
        self.code = code
    }

    /// Seals a message.
    ///
    /// - Parameter answered: the sealed message that it answers; empty for a request.
    package func seal(_ message: [UInt8], as kind: Kind, answering answered: [UInt8] = []) -> [UInt8] {
        let box: ChaChaPoly.SealedBox
        do {
            box = try ChaChaPoly.seal(message, using: code.key(kind.rawValue), authenticating: context(kind, answered))
        } catch {
            preconditionFailure("any bytes can be sealed: \(error)")
        }
        return [Self.version] + box.combined
    }

    /// Opens a message; `nil`: it was not sealed by anyone who has the code, as this kind and in answer to that, or was changed since.
    package func open(_ sealed: [UInt8], as kind: Kind, answering answered: [UInt8] = []) -> [UInt8]? {
        let limit = kind == .answer ? Self.answerByteCount : Self.requestByteCount
        guard sealed.count <= limit, sealed.first == Self.version,
            let box = try? ChaChaPoly.SealedBox(combined: sealed.dropFirst()),
            let message = try? ChaChaPoly.open(
                box, using: code.key(kind.rawValue), authenticating: context(kind, answered))
        else { return nil }
        return Array(message)
    }

    private func context(_ kind: Kind, _ answered: [UInt8]) -> Data {
        Data("gate join \(Self.version) \(kind.rawValue) \(code.slot) ".utf8) + Data(SHA256.hash(data: answered))
    }
}
