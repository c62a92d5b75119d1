import Crypto
import FoundationEssentials

/// Seals the messages between the inviting device and a newcomer. Each kind of message has its own key, derived from
/// the code, so the broker can't read them, and none passes for one of another kind. Each answer authenticates the
/// message that it answers, so none can be put in the place of another.
package struct JoinSeal: Sendable {
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        case request
        /// From the inviting device: certificate, list and household, or a refusal, or that a person is being asked.
        case answer
        /// From the newcomer: it is a member now.
        case receipt
    }

    /// The most bytes of a request or a receipt, sealed.
    package static let requestByteCount = 8 << 10
    /// The most bytes of an answer, sealed: it holds the list and two certificates.
    package static let answerByteCount = HouseholdLimits.listBytes + requestByteCount

    private static let version: UInt8 = 1
    private let code: JoinCode

    package init(_ code: JoinCode) {
        self.code = code
    }

    /// - Parameter answered: the sealed message that this one answers; empty for a request.
    package func seal(_ message: [UInt8], as kind: Kind, answering answered: [UInt8] = []) -> [UInt8] {
        let box: ChaChaPoly.SealedBox
        do {
            box = try ChaChaPoly.seal(message, using: code.key(kind.rawValue), authenticating: context(kind, answered))
        } catch {
            preconditionFailure("any bytes can be sealed: \(error)")
        }
        return [Self.version] + box.combined
    }

    /// `nil` if it was changed, or not sealed with this code, as this kind and in answer to that message.
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
