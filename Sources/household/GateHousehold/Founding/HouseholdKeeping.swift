import Crypto
import FoundationEssentials
import GateGuardians
package import GateModel
import SwiftASN1
package import X509

/// A household on the device that has its key. Here devices are admitted, renamed and revoked, and the list and
/// certificates are renewed before they end. Everything is values; the files are written elsewhere.
package struct HouseholdKeeping: Sendable {
    package struct Issued: Sendable {
        package var device: HouseholdID
        package var certificate: Certificate

        /// `nil` if the certificate's common name is no device's id.
        package init?(_ certificate: Certificate) {
            guard let device = certificate.commonName.flatMap(HouseholdID.init) else { return nil }
            self.device = device
            self.certificate = certificate
        }

        package var pem: [UInt8] { (try? certificate.pem) ?? [] }

        var file: HouseholdFile {
            get throws {
                let number = Hex.encoded(Array(certificate.serialNumber.bytes))
                return HouseholdFile(
                    "\(HouseholdFileName.certificates)/\(device)-\(number).pem", try certificate.pem, for: .nobody)
            }
        }
    }

    package let secret: HouseholdSecret
    package let settings: HouseholdSettings
    package private(set) var list: HouseholdList
    /// The certificates that were signed for devices, as far as they are known here.
    package private(set) var issued: [Issued]
    /// The certificates that the broker must not accept, whatever they were signed for.
    private var revoked: [Certificate.SerialNumber]
    private let authority: HouseholdAuthority

    /// Takes up a household that was founded before; `nil` if these do not belong together. `list` is the newest one,
    /// and `revoked` the list of revoked certificates; `nil` if there is none yet.
    package init?(
        _ secret: HouseholdSecret, settings: HouseholdSettings, authority: Certificate, list: HouseholdList,
        issued: [Issued], revoked: [UInt8]? = nil
    ) {
        guard settings.household == secret.household, settings.publicKey == secret.signingKey.publicKey,
            list.household == secret.household,
            let authority = HouseholdAuthority(secret, certificate: authority),
            let revoked = revoked.map(authority.revoked) ?? []
        else { return nil }
        self.revoked = revoked
        (self.secret, self.settings, self.list, self.issued) = (secret, settings, list, issued)
        self.authority = authority
    }

    /// The list as a JWS.
    package var signedList: [UInt8] {
        SignedText.sign(list.payload, as: .list, with: secret.signingKey)
    }

    /// The authority's certificate in DER.
    package var authorityBytes: [UInt8] {
        get throws { try authority.certificate.der }
    }

    // MARK: - What is known elsewhere

    /// Takes over lists that are newer than this device's files, which may come from a backup. Otherwise the next list
    /// would be made from an old one, and undo the changes since. A device that is revoked on any list stays revoked.
    /// The signatures of `lists` were checked; lists of other households, and revocations that this authority has not
    /// signed, are ignored. Returns the files to write, none if nothing was newer.
    /// - Throws: `replaced` if the newest list is another one, on which this device is missing or revoked; `badFile`.
    package mutating func takeUp(
        _ lists: [HouseholdList], revocations: [[UInt8]], now: WallTime
    ) throws(FoundingError) -> [HouseholdFile] {
        let (known, knownCount) = (list, revoked.count)
        let lists = lists.filter { $0.household == settings.household } + [list]
        for newer in lists where newer.number > list.number { list = newer }
        guard list.number == known.number || list.member(settings.device)?.isRevoked == false else {
            throw .replaced(list: list.number)
        }
        let gone = Set(lists.flatMap { $0.members.filter(\.isRevoked).map(\.id) })
        for index in list.members.indices where gone.contains(list.members[index].id) {
            list.members[index].isRevoked = true
        }
        for number in revocations.compactMap(authority.revoked).joined() where !revoked.contains(number) {
            revoked.append(number)
        }
        guard list != known || revoked.count != knownCount else { return [] }
        do {
            return [listFile, try revocationFile(now: now)]
        } catch {
            throw .badFile(path: HouseholdFileName.revoked)
        }
    }

    /// The members whose certificates this device does not have, because they were admitted after the backup that was
    /// restored. `renew` can't renew their certificates.
    package var membersWithoutCertificates: [HouseholdMember] {
        let known = Set(issued.map(\.device))
        return list.members.filter { !$0.isRevoked && !known.contains($0.id) }
    }

    // MARK: - Devices

    /// Why a newcomer can't be admitted; `nil` if it can.
    package func refusal(of request: JoinRequest) -> JoinRefusal? {
        guard let wanted = try? CertificateSigningRequest(derEncoded: request.certificateRequest),
            wanted.publicKey.isValidSignature(wanted.signature, for: wanted),
            P256.Signing.PublicKey(wanted.publicKey) != nil
        else { return .key }
        if list.members.contains(where: { $0.publicKey == request.keys.signing && !$0.isRevoked }) { return .listed }
        let others = list.members.filter { $0.publicKey != request.keys.signing }
        if others.contains(where: { !$0.isRevoked && $0.name.looksLike(request.name) }) { return .name }
        return others.count < HouseholdList.maximumMembers ? nil : .full
    }

    /// `guardian` commands other devices from the newcomer's; `nil` if nobody does. Returns the answer to the newcomer,
    /// and the files to write before it is sent.
    package mutating func admit(
        _ request: JoinRequest, guardian: String?, now: WallTime, using random: inout some RandomNumberGenerator
    ) throws -> (answer: JoinAnswer, files: [HouseholdFile]) {
        if let refusal = refusal(of: request) { return (.refused(refusal), []) }
        let wanted = try CertificateSigningRequest(derEncoded: request.certificateRequest)
        // A revoked device comes back under another id, so that its old id and certificates stay revoked.
        let others = list.members.filter { $0.publicKey != request.keys.signing }
        let device = HouseholdID(using: &random)
        let certificate = try authority.deviceCertificate(wanted.publicKey, device: device, now: now)
        guard let record = Issued(certificate) else { preconditionFailure("it was made for a device") }
        let member = HouseholdMember(
            id: device, name: request.name, publicKey: request.keys.signing, sealingKey: request.keys.sealing,
            guardian: guardian)
        var changed = self
        changed.issued.append(record)
        changed.replaceList(by: others + [member], now: now)
        let admission = JoinAdmission(
            household: settings.household, publicKey: settings.publicKey, device: device, port: settings.broker.port,
            certificate: try certificate.der, authority: try authorityBytes, list: changed.signedList)
        guard changed.signedList.count <= HouseholdLimits.listBytes else { return (.refused(.full), []) }
        self = changed
        return (.admitted(admission), [try record.file, listFile])
    }

    /// The device with this id, even if it is revoked, or the one member with this name.
    /// - Throws: `unknownDevice` or `ambiguousDevice`.
    package func member(named text: String) throws(FoundingError) -> HouseholdMember {
        if let member = HouseholdID(text).flatMap(list.member) { return member }
        let named = list.members.filter { $0.name == text && !$0.isRevoked }
        guard named.count <= 1 else { throw .ambiguousDevice(text) }
        guard let member = named.first else { throw .unknownDevice(text) }
        return member
    }

    /// Ends the validity of a device's signatures and, at the broker, of its certificates. Returns the files to write.
    /// - Throws: `ownDevice` for this device.
    package mutating func revoke(_ device: HouseholdID, now: WallTime) throws -> [HouseholdFile] {
        guard device != settings.device else { throw FoundingError.ownDevice }
        replaceList(
            by: list.members.map { member in
                var member = member
                member.isRevoked = member.isRevoked || member.id == device
                return member
            }, now: now)
        return [listFile, try revocationFile(now: now)]
    }

    /// The device's id, certificates and topics do not contain the name, so they stay. Returns the files to write.
    /// - Throws: `unknownDevice` if it is revoked; `refused(.name)` if another device has this name or a similar one;
    ///   `full` if the list would be too long.
    package mutating func rename(
        _ device: HouseholdID, to name: String, now: WallTime
    ) throws(FoundingError) -> [HouseholdFile] {
        guard let old = list.member(device), !old.isRevoked else { throw .unknownDevice(device.description) }
        guard !list.members.contains(where: { $0.id != device && !$0.isRevoked && $0.name.looksLike(name) }) else {
            throw .refused(.name)
        }
        var changed = self
        changed.replaceList(
            by: list.members.map { member in
                var member = member
                if member.id == device { member.name = name }
                return member
            }, now: now)
        guard changed.signedList.count <= HouseholdLimits.listBytes else { throw .full }
        self = changed
        return [listFile]
    }

    /// Makes a new list, and new certificates for those that end soon. Returns the files to write, and the new
    /// certificates of other devices.
    package mutating func renew(now: WallTime) throws -> (files: [HouseholdFile], certificates: [Issued]) {
        replaceList(by: list.members.filter { !isOver($0, now: now) }, now: now)
        var files = [listFile]
        var certificates: [Issued] = []
        for member in list.members where !member.isRevoked {
            let newest = issued.filter { $0.device == member.id }.max { $0.certificate.ends < $1.certificate.ends }
            guard let newest, newest.certificate.ends < now.advanced(by: HouseholdAuthority.renewal) else { continue }
            let certificate = try authority.deviceCertificate(newest.certificate.publicKey, device: member.id, now: now)
            guard let record = Issued(certificate) else { preconditionFailure("it was made for a device") }
            issued.append(record)
            files.append(try record.file)
            if member.id == settings.device {
                files.append(HouseholdFile(HouseholdFileName.certificate, try certificate.pem, for: .service))
            } else {
                certificates.append(record)
            }
        }
        return (files, certificates)
    }

    /// Whether a device is revoked and all of its certificates have ended, so that the list can leave it out.
    private func isOver(_ member: HouseholdMember, now: WallTime) -> Bool {
        let certificates = issued.lazy.filter { $0.device == member.id }.map(\.certificate)
        return member.isRevoked && !certificates.isEmpty && certificates.allSatisfy { $0.ends < now }
    }

    // MARK: - Files

    private var listFile: HouseholdFile {
        HouseholdFile(HouseholdFileName.list, signedList, for: .service)
    }

    /// The revoked devices of which no certificate is known here, so that the broker may still accept theirs.
    package var revokedWithoutCertificates: [HouseholdMember] {
        let known = Set(issued.map(\.device))
        return list.members.filter { $0.isRevoked && !known.contains($0.id) }
    }

    /// Lists the certificates that were on it before, and all of devices that are revoked or no longer on the list.
    func revocationFile(now: WallTime) throws -> HouseholdFile {
        let members = Set(list.members.filter { !$0.isRevoked }.map(\.id))
        let numbers = issued.filter { !members.contains($0.device) }.map(\.certificate.serialNumber)
            .filter { !revoked.contains($0) }
        return HouseholdFile(
            HouseholdFileName.revoked, try authority.revocationList(of: revoked + numbers, now: now), for: .everybody)
    }

    private mutating func replaceList(by members: [HouseholdMember], now: WallTime) {
        list = HouseholdList(
            household: settings.household, number: list.number + 1, issued: now,
            expires: now.advanced(by: HouseholdList.longestLife), members: members)
    }
}
