import GateGuardians
import GateModel

package struct BrokerMessage: Hashable, Sendable {
    package var topic: String
    package var payload: [UInt8]
    /// Whether the broker had kept it, so that it may be of any age.
    package var isRetained: Bool
    /// How long it is still valid; `nil` if it has no expiry.
    package var expiry: Duration?

    package init(topic: String, payload: [UInt8], isRetained: Bool = false, expiry: Duration? = nil) {
        self.topic = topic
        self.payload = payload
        self.isRetained = isRetained
        self.expiry = expiry
    }
}

package enum HouseholdLimits {
    /// The most bytes of a message, unless `messageBytes(on:)` has another limit for its topic.
    package static let messageBytes = 128 << 10
    /// The most bytes of a command or a result. gated takes no more.
    package static let signedBytes = 64 << 10
    /// The most bytes of the list of devices and guardians. gated takes no more.
    package static let listBytes = SignedText.maximumListByteCount
    /// The most bytes of the household policy. gated takes no more.
    package static let policyBytes = 1 << 20
    /// The most bytes of an MQTT packet: its topic and properties, and as the content the list, or the answer to a
    /// newcomer, which contains the list.
    package static let packetBytes = listBytes + messageBytes

    package static let revokedBytes = 1 << 20
    /// The most bytes of a topic. Gate's own are half as long, and a device chooses the end of some of its topics.
    static let topicBytes = 256

    /// The most bytes of a message on a topic. Only the policy, the list of devices, that of revoked
    /// certificates, and answers to newcomers may be long.
    static func messageBytes(on topic: String) -> Int {
        if topic.hasSuffix("/shared/policy") { return policyBytes }
        if topic.hasSuffix("/shared/certificates/revoked") { return revokedBytes }
        if topic.hasSuffix("/request"), topic.contains("/join/") { return JoinSeal.requestByteCount }
        let holdsList = topic.hasSuffix("/shared/guardians") || topic.hasSuffix("/answer") && topic.contains("/join/")
        return holdsList ? packetBytes : messageBytes
    }
    package static let stateBytes = 4 << 10
    /// The most bytes of a question, with its words for each guardian's device.
    package static let requestBytes = 64 << 10
    /// The most questions of this device that the broker has or has to forget.
    package static let ownRequests = 64
    /// The most questions of all other devices, and of one other device, at a time.
    package static let othersRequests = 64
    package static let requestsOfDevice = 8
    /// The most asks among these: of all other devices, and of one other device.
    package static let othersAsks = 32
    package static let asksOfDevice = 16
    /// If there was no room for a question, the broker is asked again for all retained messages, at most once in this
    /// time.
    package static let hearingInterval = Duration.seconds(60)
    /// The most answers to asks of this device that wait for gated.
    package static let waitingAnswers = 64
    /// The most answers of this device that the broker has or has to forget: twice as many as gated hands out.
    package static let ownAnswers = 2 * OutgoingAnswers.maximumCount
    /// The most receipts of this device that the broker has or has to forget: twice as many as gated shares.
    package static let ownReceipts = 128
    /// The most bytes of a receipt. gated takes no more.
    package static let receiptBytes = SignedText.maximumReceiptByteCount
    /// The most receipts of other devices that wait for gated.
    package static let waitingReceipts = 1024
    /// How long receipts wait for gated, and how often the broker is asked for all receipts again, because gated may
    /// accept now what it refused before.
    package static let receiptInterval = Duration.seconds(3600)
    /// The shortest time between two reports of use by this device. The broker keeps the last one for `usageLife`, as
    /// long as its week counts.
    package static let usageInterval = Duration.seconds(60)
    package static let usageLife = Duration.seconds(8 * 24 * 3600)
    /// The most reports of use that wait for gated, each of another device.
    package static let waitingUsage = 64
    /// The most people for whom Home Assistant has a sensor. Names of people are short, so a description is, too.
    package static let peopleOfHomeAssistant = 32
    /// The most bytes of the name of a version.
    package static let versionBytes = 64
    /// The most bytes of the name of a run of the program.
    package static let instanceBytes = 64
    /// How long a twin is believed to exist after its last state. Each device publishes its state every half hour.
    package static let twinLife = Duration.seconds(3600)
    package static let devices = 10_000
    /// The most reports that gated gets at a time.
    package static let reportsOfBatch = 256
    /// The most commands that wait for gated.
    package static let waitingCommands = 64
    /// The most results that wait for gated: one of each device, if all were locked at once.
    package static let waitingResults = devices
    /// The most commands, or results, of one sender that wait for gated.
    package static let waitingOfSender = 64
    /// The most bytes of all commands, or of all results, that wait for gated.
    package static let waitingBytes = 16 << 20
    /// How many commands and results may wait for the broker. With more, gated gets and gives no further commands.
    package static let unsent = 64
    /// The most commands and results that the broker has not acknowledged yet.
    package static let unacknowledged = 16
    /// The most commands and results that nobody was subscribed to, and that are published again.
    package static let unheard = 256
    /// How long such a command or result waits before it is published again.
    package static let unheardInterval = Duration.seconds(2)
    /// The shortest time between two states of this device.
    package static let stateInterval = Duration.milliseconds(50)
    /// The shortest time between two corrections of this device's availability.
    package static let availabilityInterval = Duration.seconds(1)
    /// How long commands and results are valid.
    package static let signedLife = Duration.seconds(300)
    /// How long a challenge is published before gated is asked for the next one. gated accepts one for an hour.
    package static let challengeRenewal = Duration.seconds(1800)
    /// How many messages may wait to be taken before nothing more is read, so that the broker has to wait.
    package static let unread = 4096
    /// The most messages that the broker keeps for a slow reader. A guardian's device that connects gets state and
    /// availability of each other device at once. What does not fit is lost until it changes again.
    package static let queuedMessages = 3 * devices
    /// The most bytes of the messages that the broker keeps for one device.
    package static let queuedBytes = 16 << 20
    /// How many bytes of messages may wait to be taken before nothing more is read.
    package static let unreadBytes = 8 << 20
}
