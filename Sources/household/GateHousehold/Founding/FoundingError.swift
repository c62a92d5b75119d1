/// Why a household was not founded, joined or changed. `FoundingText` says it in the person's language.
package enum FoundingError: Error, Hashable, Sendable {
    case badCode
    /// There is a mistake in this group of the code, counted from 1. The text is the group as it was typed.
    case badCodeGroup(Int, text: String)
    case badRecoveryKey
    /// The broker can't be reached, or has ended the connection. The sentence says why.
    case broker(String)
    /// The broker does not let this device write something. The sentence says what, and why.
    case brokerRefuses(String)
    /// The broker has no certificate authority with the code's fingerprint.
    case otherAuthority
    /// The inviting device has not answered in time.
    case noAnswer
    case refused(JoinRefusal)
    /// A part of the inviting device's answer is wrong: "form", "certificate" or "list".
    case badAnswer(String)
    /// This device belongs to a household already.
    case exists
    /// This device belongs to no household.
    case none
    /// This device does not have the household's key.
    case noKey
    /// A file can't be read or written.
    case file(path: String, problem: String)
    /// A file does not have the right content.
    case badFile(path: String)
    /// This device's policy has mistakes, so that its settings are unknown, or the policy to publish has.
    case policy(problems: [String])
    /// This device is no member on the newest list, which has this number: another device has the household's key now.
    case replaced(list: UInt64)
    /// gated knows a newer list than the one that was made.
    case overtaken
    /// No device on the list has this name or id.
    case unknownDevice(String)
    case ambiguousDevice(String)
    /// The device that has the household's key can't revoke itself.
    case ownDevice
    /// This device has the household's key, which would be lost.
    case hasKey
    /// The broker has no list of the household's devices.
    case noList
    case full
    /// The household policy is too large, with so many bytes as it is signed.
    case policyTooLarge(byteCount: Int)
    case tooManyFiles
    /// The code was not used in time.
    case late
    /// The newcomer with this name was refused, and the code is no longer valid.
    case notAdmitted(name: String, JoinRefusal)
    /// Nothing listens at the broker's port for joining. `commands` start the broker for joining, on its own machine.
    case joinPortClosed(host: String, port: UInt16, commands: [String])
    /// A person has to be asked, and there is no terminal.
    case needsTerminal
    case needsRoot
    /// Another program is changing the household.
    case busy
}

/// Why an invitation does not admit a newcomer.
package enum JoinRefusal: String, Hashable, Sendable, Codable, CaseIterable {
    /// Another device has used the code.
    case used
    /// The request does not have the right form.
    case malformed
    /// The certificate request can't be read, is not signed with its own key, or the key is not of P-256.
    case key
    /// A device with this key is on the list.
    case listed
    case full
    /// A device of the household has this name, or one that looks like it.
    case name
    /// A person has said no.
    case declined
}
