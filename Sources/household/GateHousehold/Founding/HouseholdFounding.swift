import Crypto
import FoundationEssentials
import GateGuardians
package import GateModel
import X509

/// Founds a household on its first device, as values: the files are written elsewhere.
package struct HouseholdFounding: Sendable {
    package struct Request: Hashable, Sendable {
        /// The name of this device.
        package var name: String
        /// The grown-up who commands other devices from this one.
        package var guardian: String
        package var broker: BrokerAddress
        /// The broker's port for devices without a certificate.
        package var joinPort: UInt16

        package init(
            name: String, guardian: String, broker: BrokerAddress,
            joinPort: UInt16 = MosquittoConfiguration.defaultJoinPort
        ) {
            self.name = name
            self.guardian = guardian
            self.broker = broker
            self.joinPort = joinPort
        }
    }

    /// What is left of a household whose first device is lost.
    package struct FormerMembers: Hashable, Sendable {
        /// The number of the newest known list; 0 if none is known.
        package var number: UInt64
        package var members: [HouseholdMember]
        /// The certificates, in PEM, that were signed for these devices, as far as they are known.
        package var certificates: [[UInt8]] = []
        /// A list of revoked certificates; `nil` if none is known.
        package var revoked: [UInt8]?

        /// - Parameter list: the newest known list; `nil` if none is known.
        package init(_ list: HouseholdList?) {
            self.init(number: list?.number ?? 0, members: list?.members ?? [])
        }

        package init(number: UInt64, members: [HouseholdMember]) {
            (self.number, self.members) = (number, members)
        }

    }

    package let keeping: HouseholdKeeping
    package let files: [HouseholdFile]

    /// Founds a household with a new secret, or one of `former` members again with that of a recovery key.
    /// - Throws: `badFile` if `former.revoked` was not signed by this household's authority.
    package init(
        _ request: Request, secret: HouseholdSecret, keys: DevicePublicKeys, former: FormerMembers? = nil,
        now: WallTime,
        using random: inout some RandomNumberGenerator
    ) throws {
        let authority = try HouseholdAuthority(secret, now: now)
        let device = HouseholdID(using: &random)
        let settings = HouseholdSettings(
            household: secret.household, device: device, name: request.name, publicKey: secret.signingKey.publicKey,
            broker: HouseholdSettings.Broker(host: request.broker.host, port: request.broker.port), takesPolicy: true,
            sharesReceipts: true, sumsUsage: true)
        let (deviceKey, brokerKey) = (P256.Signing.PrivateKey(), P256.Signing.PrivateKey())
        let certificate = try authority.deviceCertificate(
            Certificate.PublicKey(deviceKey.publicKey), device: device, now: now)
        let brokerCertificate = try authority.brokerCertificate(
            brokerKey.publicKey, host: request.broker.host, now: now)
        let member = HouseholdMember(
            id: device, name: request.name, publicKey: keys.signing, sealingKey: keys.sealing,
            guardian: request.guardian)
        // A number higher than that of any earlier list, even if the newest list is not known, because no household
        // makes a list every millisecond.
        let number = former.map { max($0.number + 1, UInt64(clamping: now.unixMilliseconds)) } ?? 1
        let list = HouseholdList(
            household: secret.household, number: number, issued: now,
            expires: now.advanced(by: HouseholdList.longestLife),
            members: (former?.members ?? []).filter { $0.publicKey != keys.signing } + [member])
        guard let record = HouseholdKeeping.Issued(certificate) else { preconditionFailure("it was made for a device") }
        let issued = Self.issued(former?.certificates ?? [], by: authority) + [record]
        guard
            let keeping = HouseholdKeeping(
                secret, settings: settings, authority: authority.certificate, list: list, issued: issued,
                revoked: former?.revoked)
        else { throw FoundingError.badFile(path: HouseholdFileName.revoked) }
        self.keeping = keeping
        let broker = MosquittoConfiguration(
            household: settings.household, keeper: device, port: request.broker.port)
        let authorityPEM = try authority.certificate.pem
        files =
            try [
                HouseholdFile(HouseholdFileName.authority, authorityPEM, for: .service),
                HouseholdFile(HouseholdFileName.certificate, try certificate.pem, for: .service),
                HouseholdFile(HouseholdFileName.key, Array((deviceKey.pemRepresentation + "\n").utf8), for: .service),
                HouseholdFile(HouseholdFileName.list, keeping.signedList, for: .service),
                HouseholdFile(HouseholdFileName.secret, Array((secret.recoveryKey + "\n").utf8), for: .nobody),
                broker.file,
                HouseholdFile(HouseholdFileName.brokerUnit, Array(MosquittoService.unit.utf8), for: .everybody),
                broker.deviceRulesFile,
                HouseholdFile("mosquitto/ca.pem", authorityPEM, for: .everybody),
                HouseholdFile("mosquitto/server.pem", try brokerCertificate.pem, for: .everybody),
                HouseholdFile("mosquitto/server.key", Array((brokerKey.pemRepresentation + "\n").utf8), for: .nobody),
                try keeping.revocationFile(now: now),
            ] + JoinBroker(secret, port: request.joinPort).files + issued.map { try $0.file }
    }

    private static func issued(
        _ certificates: [[UInt8]], by authority: HouseholdAuthority
    ) -> [HouseholdKeeping.Issued] {
        certificates.compactMap { Certificate(pem: $0) }.filter {
            authority.certificate.publicKey.isValidSignature($0.signature, for: $0)
        }.compactMap(HouseholdKeeping.Issued.init)
    }
}
