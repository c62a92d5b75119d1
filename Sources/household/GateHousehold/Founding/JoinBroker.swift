import Crypto
import FoundationEssentials
import GateModel

/// The broker for devices that join: a mosquitto of its own, beside the members' broker. Anyone may connect to it, so
/// it has limits of its own, and runs only while somebody is invited. Whatever strangers do there ends with it, and
/// takes no connection from the members. One mosquitto with two ports could not keep the strangers apart by
/// `max_connections`: when a new connection takes the place of another one, mosquitto 2.0.11 counts two as ended.
package struct JoinBroker: Hashable, Sendable {
    /// The inviting device's name at this broker. Newcomers connect without a name.
    package static let user = "inviting"
    /// The most files, connections among them, that it may have open at a time.
    package static let openFiles = 1024
    /// The most memory that the broker may use for messages, in bytes.
    private static let messageBytes = 64 << 20
    /// The most bytes of a packet, apart from the list: enough for a newcomer's request, and for the answer to it.
    private static let smallPacketBytes = 64 << 10

    package let port: UInt16
    /// The inviting device's password at this broker.
    package let password: String
    private let household: HouseholdID
    private let salt: [UInt8]

    package init(_ secret: HouseholdSecret, port: UInt16) {
        (household, password, salt) = (secret.household, secret.joinPassword, secret.joinSalt)
        self.port = port
    }

    /// How large a packet may be if the household's signed list has so many bytes: the answer to a newcomer holds the
    /// list. With a small limit nobody can keep the broker busy with large messages.
    package static func packetBytes(forList listBytes: Int) -> Int {
        min(smallPacketBytes + 2 * listBytes, HouseholdLimits.packetBytes)
    }

    /// `join.conf`. Its other files are in `folder`.
    package func configuration(
        in folder: String = MosquittoConfiguration.defaultFolder, packetBytes: Int = HouseholdLimits.packetBytes
    ) -> String {
        """
        # Gate's household \(household), for mosquitto 2: the broker for devices that join, in a process of its own. Start it only while
        # somebody is invited.
        persistence false
        max_packet_size \(packetBytes)
        memory_limit \(Self.messageBytes)
        connection_messages false

        # Those that join have a code, and may write and read nothing but what joining takes.
        listener \(port)
        cafile \(folder)/ca.pem
        certfile \(folder)/server.pem
        keyfile \(folder)/server.key
        tls_version tlsv1.2
        allow_anonymous true
        password_file \(folder)/join.passwords
        acl_file \(folder)/join.acl

        """
    }

    /// `join.acl`.
    package var rules: String {
        let root = "gate/\(household)"
        return """
            # For those without a certificate. There is one place where they may write, so that the broker keeps one message of a stranger's at most.
            topic read \(root)/join/authority
            topic write \(root)/join/\(JoinTopic.place)/request
            topic read \(root)/join/\(JoinTopic.place)/answer

            # The inviting device, which knows the password.
            user \(Self.user)
            topic readwrite \(root)/join/#

            """
    }

    /// `join.passwords`, as mosquitto_passwd writes it: PBKDF2 with HMAC-SHA512.
    package var passwords: String {
        let rounds = 101
        let key = SymmetricKey(data: Data(password.utf8))
        var block = Array(HMAC<SHA512>.authenticationCode(for: salt + [0, 0, 0, 1], using: key))
        var sum = block
        for _ in 1..<rounds {
            block = Array(HMAC<SHA512>.authenticationCode(for: block, using: key))
            for index in sum.indices { sum[index] ^= block[index] }
        }
        let (salt, hash) = (Data(salt).base64EncodedString(), Data(sum).base64EncodedString())
        return "\(Self.user):$7$\(rounds)$\(salt)$\(hash)\n"
    }

    /// The files for a broker on another machine, where an administrator starts it.
    package var files: [HouseholdFile] {
        [
            HouseholdFile(HouseholdFileName.joinConfiguration, Array(configuration().utf8), for: .everybody),
            HouseholdFile(HouseholdFileName.joinRules, Array(rules.utf8), for: .everybody),
            HouseholdFile(HouseholdFileName.joinPasswords, Array(passwords.utf8), for: .nobody),
            HouseholdFile(HouseholdFileName.joinUnit, Array(MosquittoService.joinUnit.utf8), for: .everybody),
        ]
    }
}
