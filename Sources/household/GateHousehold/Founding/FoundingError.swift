/// Why a household was not founded, joined or changed. The program says it in the person's language.
package enum FoundingError: Error, Hashable, Sendable {
    /// The code has a mistake in it.
    case badCode
    /// The code has a mistake in this group, counted from 1, which was typed so.
    case badCodeGroup(Int, text: String)
    /// The recovery key has a mistake in it.
    case badRecoveryKey
    /// The broker can't be reached, or has ended the connection.
    case broker(String)
    /// The broker does not let this device write something.
    case brokerRefuses(String)
    /// The broker shows no certificate authority of the household that the code is of.
    case otherAuthority
    /// Nobody has answered.
    case noAnswer
    /// The inviting device says no.
    case refused(JoinRefusal)
    /// The inviting device's answer is not right: a part of it.
    case badAnswer(String)
    /// This device belongs to a household already.
    case exists
    /// This device belongs to no household.
    case none
    /// This device does not have the household's key.
    case noKey
    /// A file can't be read or written.
    case file(path: String, problem: String)
    /// A file does not say what it should.
    case badFile(path: String)
    /// The policy has mistakes, so nobody knows which household this is.
    case policy(problems: [String])
    /// Another device has the household's key: on the newest list, which has this number, this device is no member.
    case replaced(list: UInt64)
    /// gated knows a newer list than the one that was made.
    case overtaken
    /// There is no such device on the list.
    case unknownDevice(String)
    /// More than one device has this name.
    case ambiguousDevice(String)
    /// The device that has the household's key can't revoke itself.
    case ownDevice
    /// This device has the household's key, which would be lost.
    case hasKey
    /// The broker has no list of the household's devices.
    case noList
    /// The household has as many devices as it may have.
    case full
    /// The policy for all devices has too many bytes, as it is signed.
    case policyTooLarge(byteCount: Int)
    /// The policy for all devices has too many files.
    case tooManyFiles
    /// The code was not used in time.
    case late
    /// The newcomer with this name was refused, and the code is good no more.
    case notAdmitted(name: String, JoinRefusal)
    /// A person has to be asked, and there is no terminal.
    case needsTerminal
    /// Only another user may change the household.
    case needsRoot
    /// Another program changes the household.
    case busy
}

/// Why an invitation does not admit a newcomer.
package enum JoinRefusal: String, Hashable, Sendable, Codable, CaseIterable {
    /// The code was used by another device.
    case used
    /// The request does not have the right form.
    case malformed
    /// The certificate request is not signed with its key.
    case key
    /// A device with this key is on the list.
    case listed
    /// The household is full.
    case full
    /// A device of the household has this name, or one that looks like it.
    case name
    /// A person has said no.
    case declined
}
