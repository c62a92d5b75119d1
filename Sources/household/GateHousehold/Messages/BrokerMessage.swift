import GateGuardians

/// A message of the broker's.
package struct BrokerMessage: Hashable, Sendable {
    /// The topic, as it came.
    package var topic: String
    /// The content.
    package var payload: [UInt8]
    /// Whether the broker had kept it: it may be of any age.
    package var isRetained: Bool
    /// How long it still counts; `nil`: for ever.
    package var expiry: Duration?

    /// Makes a message of these values.
    package init(topic: String, payload: [UInt8], isRetained: Bool = false, expiry: Duration? = nil) {
        self.topic = topic
        self.payload = payload
        self.isRetained = isRetained
        self.expiry = expiry
    }
}

/// The limits of what goes over the broker.
package enum HouseholdLimits {
    /// The largest message that is read, in bytes, but for those that hold the list, and the policy for all devices.
    package static let messageBytes = 128 << 10
    /// The largest command or result: what gated takes.
    package static let signedBytes = 64 << 10
    /// The largest list of devices and guardians: what gated takes.
    package static let listBytes = SignedText.maximumListByteCount
    /// The largest policy for all devices: what gated takes.
    package static let policyBytes = 1 << 20
    /// The largest packet of the broker: a list, or the answer to a newcomer, which holds it, with topic and properties.
    package static let packetBytes = listBytes + messageBytes

    /// The largest list of revoked certificates.
    package static let revokedBytes = 1 << 20

    /// The largest message on a topic, in bytes. Only lists, answers to joiners and the policy may be long.
    static func messageBytes(on topic: String) -> Int {
        if topic.hasSuffix("/shared/policy") { return policyBytes }
        if topic.hasSuffix("/shared/certificates/revoked") { return revokedBytes }
        if topic.hasSuffix("/request"), topic.contains("/join/") { return JoinSeal.requestByteCount }
        let holdsList = topic.hasSuffix("/shared/guardians") || topic.hasSuffix("/answer") && topic.contains("/join/")
        return holdsList ? packetBytes : messageBytes
    }
    /// The largest state of a device.
    package static let stateBytes = 4 << 10
    /// The largest question, with its words for each guardian's device.
    package static let requestBytes = 64 << 10
    /// Questions of this device that the broker has or is to forget.
    package static let ownRequests = 64
    /// Questions of all other devices, and of one, that are known at a time.
    package static let othersRequests = 64
    package static let requestsOfDevice = 8
    /// Receipts of this device that the broker has or is to forget: twice as many as gated shares.
    package static let ownReceipts = 128
    /// The largest receipt: what gated takes.
    package static let receiptBytes = SignedText.maximumReceiptByteCount
    /// Receipts of other devices that wait for gated.
    package static let waitingReceipts = 1024
    /// How long they wait, and how often the broker is asked for all of them: what gated could not take before it may take now.
    package static let receiptInterval = Duration.seconds(3600)
    /// The longest name of a version.
    package static let versionBytes = 64
    /// The longest name of a run of the program.
    package static let instanceBytes = 64
    /// How long a twin is believed to be there after it has said something. Each device says something every half an hour.
    package static let twinLife = Duration.seconds(3600)
    /// Other devices that are known at a time.
    package static let devices = 10_000
    /// Reports that gated gets at a time.
    package static let reportsOfBatch = 256
    /// Commands that wait for gated.
    package static let waitingCommands = 64
    /// Results that wait for gated: one of each device, where all have been locked at once.
    package static let waitingResults = devices
    /// Commands, or results, of one sender that wait for gated.
    package static let waitingOfSender = 64
    /// The bytes of all commands, or all results, that wait.
    package static let waitingBytes = 16 << 20
    /// Commands and results that wait for the broker, before gated is given and asked for no more.
    package static let unsent = 64
    /// Commands and results that the broker has not acknowledged yet.
    package static let unacknowledged = 16
    /// Commands and results that nobody was there to hear, and that are published again.
    package static let unheard = 256
    /// How long they wait each time.
    package static let unheardInterval = Duration.seconds(2)
    /// The shortest time between two states of this device.
    package static let stateInterval = Duration.milliseconds(50)
    /// The shortest time between two corrections of this device's availability.
    package static let availabilityInterval = Duration.seconds(1)
    /// How long commands and results count.
    package static let signedLife = Duration.seconds(300)
    /// How long a challenge is published before gated is asked for the next one. gated takes one for an hour.
    package static let challengeRenewal = Duration.seconds(1800)
    /// Messages that have come and were not looked at yet. While there are more, the broker has to wait.
    package static let unread = 4096
    /// Messages that the broker keeps for one device which reads slower than they come: when a guardian's device connects, it gets state and
    /// availability of each other one at once. What does not fit is lost until it changes again.
    package static let queuedMessages = 3 * devices
    /// The bytes of those messages.
    package static let queuedBytes = 16 << 20
    /// The bytes of the messages that were not looked at yet.
    package static let unreadBytes = 8 << 20
}
