import Crypto
import FoundationEssentials
import GateGuardians
package import GateModel
import SwiftASN1
package import X509

/// A household in the hands of the device that has its key: devices are admitted and revoked here, and what ends is made anew. All of it is
/// values; the files are written elsewhere.
package struct HouseholdKeeping: Sendable {
    /// A certificate that was signed for a device.
    package struct Issued: Sendable {
        /// The device.
        package var device: HouseholdID
        /// Its certificate.
        package var certificate: Certificate

        /// Makes a record of a certificate; `nil`: it is no device's.
        package init?(_ certificate: Certificate) {
            guard let device = certificate.commonName.flatMap(HouseholdID.init) else { return nil }
            self.device = device
            self.certificate = certificate
        }

        /// The certificate as files have it.
        package var pem: [UInt8] { (try? certificate.pem) ?? [] }

        var file: HouseholdFile {
            get throws {
                let number = Hex.encoded(Array(certificate.serialNumber.bytes))
                return HouseholdFile(
                    "\(HouseholdFileName.certificates)/\(device)-\(number).pem", try certificate.pem, for: .nobody)
            }
        }
    }

    /// The household's secret.
    package let secret: HouseholdSecret
    /// The settings of this device.
    package let settings: HouseholdSettings
    /// The newest list.
    package private(set) var list: HouseholdList
    /// The certificates that were signed.
    package private(set) var issued: [Issued]
    /// The certificates that the broker takes no more, whatever they were signed for.
    private var revoked: [Certificate.SerialNumber]
    private let authority: HouseholdAuthority

    /// Takes up a household.
    ///
    /// - Parameters:
    ///   - authority: the certificate of its authority.
    ///   - list: the newest one.
    ///   - revoked: the list of revoked certificates that there is; `nil`: there is none yet.
    /// - Returns: `nil` where these do not belong together.
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

    /// Takes up what is newer than the files of this device, which may be those of a backup. Nothing is ever signed after an older list: that would
    /// undo what was changed since. A device that is revoked on any of the lists stays revoked, because no list ever takes that back.
    ///
    /// - Parameters:
    ///   - lists: of this household, with signatures that were checked.
    ///   - revocations: lists of revoked certificates. Those that this household's authority has not signed are ignored.
    /// - Returns: the files that have to be written; empty: this device knew everything.
    /// - Throws: `replaced`, `badFile`.
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

    /// The members whose certificates are not known here, so that `renew` can't renew them: they were admitted after a backup that was restored.
    package var membersWithoutCertificates: [HouseholdMember] {
        let known = Set(issued.map(\.device))
        return list.members.filter { !$0.isRevoked && !known.contains($0.id) }
    }

    // MARK: - Devices

    /// Why a newcomer can't be admitted; `nil`: it can.
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

    /// Decides about a newcomer.
    ///
    /// - Parameters:
    ///   - guardian: the grown-up who commands others from it; `nil`: nobody does.
    ///   - now: the time.
    /// - Returns: what the newcomer is told, and the files that have to be written before.
    package mutating func admit(
        _ request: JoinRequest, guardian: String?, now: WallTime, using random: inout some RandomNumberGenerator
    ) throws -> (answer: JoinAnswer, files: [HouseholdFile]) {
        if let refusal = refusal(of: request) { return (.refused(refusal), []) }
        let wanted = try CertificateSigningRequest(derEncoded: request.certificateRequest)
        // One that was revoked comes back under another id: what it had before stays revoked.
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

    /// The device that a person means by its id or name, and that is not revoked.
    package func member(named text: String) throws(FoundingError) -> HouseholdMember {
        if let member = HouseholdID(text).flatMap(list.member) { return member }
        let named = list.members.filter { $0.name == text && !$0.isRevoked }
        guard named.count <= 1 else { throw .ambiguousDevice(text) }
        guard let member = named.first else { throw .unknownDevice(text) }
        return member
    }

    /// Revokes a device: what it signs counts for nothing, and the broker takes its certificates no more.
    ///
    /// - Returns: the files that have to be written.
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

    /// Gives a device another name. Its id, its certificates and its topics at the broker have nothing of the name, so they stay.
    ///
    /// - Returns: the files that have to be written.
    /// - Throws: `unknownDevice` for one that is revoked; `refused(.name)` where another device has a name like that; `full`.
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

    /// Makes the list anew, and the certificates that end soon.
    ///
    /// - Returns: the files that have to be written, and the new certificates of other devices.
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

    /// Whether a device is revoked, and none of its certificates would let it in any more: the list without it says the same.
    private func isOver(_ member: HouseholdMember, now: WallTime) -> Bool {
        let certificates = issued.lazy.filter { $0.device == member.id }.map(\.certificate)
        return member.isRevoked && !certificates.isEmpty && certificates.allSatisfy { $0.ends < now }
    }

    // MARK: - Files

    private var listFile: HouseholdFile {
        HouseholdFile(HouseholdFileName.list, signedList, for: .service)
    }

    /// The devices that are revoked, and of which no certificate is known here: the broker may go on to take it.
    package var revokedWithoutCertificates: [HouseholdMember] {
        let known = Set(issued.map(\.device))
        return list.members.filter { $0.isRevoked && !known.contains($0.id) }
    }

    /// Everything that was signed for a device that is on the list no more, or revoked, and what was on the list before.
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
