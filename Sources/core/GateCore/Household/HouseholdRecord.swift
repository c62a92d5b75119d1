package import GateModel

/// What a device keeps about its household.
public struct HouseholdRecord: Hashable, Sendable {
    /// The newest list of the household's devices and guardians; `nil`: none has arrived yet.
    package var list: SignedHouseholdList?
    package var deviceKey: DeviceKey?
    /// When a guardian last opened something here. Setting the clock back does not make it earlier.
    package var seenAt: WallTime?
    /// The newest policy that the household has for all its devices; `nil`: none has arrived yet.
    package var policy: SignedHouseholdPolicy?
    /// The answers of this device's guardian to asks of other devices, until those have confirmed or refused them.
    package var answers: [RequestName: AnswerToAsk] = [:]

    package init(
        list: SignedHouseholdList? = nil, deviceKey: DeviceKey? = nil, seenAt: WallTime? = nil,
        policy: SignedHouseholdPolicy? = nil
    ) {
        self.list = list
        self.deviceKey = deviceKey
        self.seenAt = seenAt
        self.policy = policy
    }
}

package struct SignedHouseholdList: Hashable, Sendable {
    package var list: HouseholdList
    /// The JWS.
    package var signed: [UInt8]
    /// The public key that verified the signature. If the household now has another key, the list is ignored.
    package var verifiedBy: [UInt8]

    package init(_ list: HouseholdList, signed: [UInt8], verifiedBy: [UInt8]) {
        self.list = list
        self.signed = signed
        self.verifiedBy = verifiedBy
    }
}

/// This device's Ed25519 key.
package struct DeviceKey: Hashable, Sendable {
    /// 32 bytes.
    package var publicKey: [UInt8]
    /// The private half, 32 bytes.
    package var secret: GateSecret

    package init(publicKey: [UInt8], secret: GateSecret) {
        self.publicKey = publicKey
        self.secret = secret
    }
}

/// A guardian's answer to an ask of another device, as it is stored. It is signed anew whenever it is handed out, and
/// always says the same.
package struct AnswerToAsk: Hashable, Sendable {
    /// Names the command in which it travels, and the asking device's result.
    package var command: HouseholdID
    /// The nonce of the ask.
    package var nonce: [UInt8]
    /// True for yes, false for no.
    package var isAllowed: Bool
    /// How much a yes allows, or what kind of no it is: `AskAnswer.word`. Part of what is signed.
    package var word: String
    /// When the answer counts no more, by the clock of the device that asks: when the ask is over, or the day for which
    /// it was allowed. Part of what is signed.
    package var expires: WallTime
    /// The same by the clock of this device.
    package var end: WallTime

    package init(
        command: HouseholdID, nonce: [UInt8], isAllowed: Bool, word: String = AskEcho.once, expires: WallTime,
        end: WallTime
    ) {
        self.command = command
        self.nonce = nonce
        self.isAllowed = isAllowed
        self.word = word
        self.expires = expires
        self.end = end
    }
}

extension AnswerToAsk {
    /// `nil` if the answer is a yes with a choice that only another version of Gate knows.
    var answer: AskAnswer? { AskAnswer(isAllowed: isAllowed, word: word) }
}

/// A guardian's command whose signature was checked.
public struct SignedGuardianCommand: Hashable, Sendable {
    package var command: GuardianCommand
    /// The public key that verified the signature. If the list now names another key, the command is refused.
    package var verifiedBy: [UInt8]
    /// The SHA-256 of this device's question with the number that the command answers; `nil`: no such question is open.
    package var shown: [UInt8]?

    package init(_ command: GuardianCommand, verifiedBy: [UInt8], shown: [UInt8]? = nil) {
        self.command = command
        self.verifiedBy = verifiedBy
        self.shown = shown
    }
}

/// The outcome of a guardian's command, for the guardian and for the carrier.
public struct ObeyedCommand: Hashable, Sendable {
    /// The result, which the daemon still has to sign.
    package var result: CommandResult
    /// The challenge that the next command over this connection has to echo.
    package var challenge: [UInt8]
}
