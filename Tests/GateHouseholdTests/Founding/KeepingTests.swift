import Crypto
import GateGuardians
import GateModel
import SwiftASN1
import Testing
import X509

@testable import GateHousehold

@Suite("What the first device of a household keeps (H-01)")
struct KeepingTests {
    private var household: FoundedHousehold
    private let now = FoundedHousehold.now

    init() throws {
        household = try FoundedHousehold()
    }

    private func list(_ signed: [UInt8]) throws -> HouseholdList {
        try #require(try? HouseholdList(signed: signed, by: household.secret.signingKey.publicKey))
    }

    private func days(_ count: Int64) -> WallTime { now.advanced(by: .seconds(count * 24 * 3600)) }

    @Test("the first list has the first device as its only member, which belongs to a guardian")
    func first() throws {
        let list = try list(try household.file("list.jws"))
        #expect(list.number == 1 && list.issued == now && list.expires == days(30))
        #expect(list.members.map(\.name) == ["Kitchen laptop"] && list.members[0].guardian == "Anna")
        #expect(list.members[0].publicKey == FoundedHousehold.gatedKey.publicKey)
        #expect(list.members[0].id == household.keeping.settings.device)
    }

    @Test("keys are readable by the service alone or by nobody, and the household's secret stays on the device")
    func readers() throws {
        let readers = Dictionary(uniqueKeysWithValues: household.founding.files.map { ($0.path, $0.readers) })
        #expect(readers["device.key"] == .service)
        #expect(readers["household.key"] == .nobody)
        #expect(readers["mosquitto/server.key"] == .nobody)
        let secret = household.secret.recoveryKey
        for file in household.founding.files where file.path != "household.key" {
            #expect(!String(decoding: file.content, as: UTF8.self).contains(secret))
        }
    }

    @Test("an admitted newcomer is on the next list, with certificates for its id and key, and complete files")
    mutating func admitted() throws {
        let membership = try FoundedHousehold.newcomer()
        let code = try household.code()
        let admission = try household.admit(membership, guardian: "Tom")
        let (settings, files) = try membership.files(admission, code, now: now)
        #expect(settings.household == household.secret.household && settings.device == admission.device)
        #expect(settings.broker.host == "gate.example" && settings.broker.port == 8883)
        let list = try list(admission.list)
        #expect(list.number == 2 && list.members.count == 2)
        #expect(list.member(admission.device)?.guardian == "Tom")
        let certificate = try #require(files.first { $0.path == "device.pem" }.flatMap { Certificate(pem: $0.content) })
        #expect(certificate.commonName == admission.device.description)
        #expect(certificate.ends == days(365))
        #expect(files.first { $0.path == "device.key" }?.readers == .service)
    }

    @Test("a newcomer refuses an admission with another authority, key, device or list")
    mutating func badAdmissions() throws {
        let membership = try FoundedHousehold.newcomer()
        let code = try household.code()
        let admission = try household.admit(membership)
        var other = try FoundedHousehold()
        let foreign = try other.admit(membership)
        let neighbour = try household.admit(try FoundedHousehold.newcomer("Neighbour"))
        var changes: [(JoinAdmission, FoundingError)] = []
        func change(_ error: FoundingError, _ body: (inout JoinAdmission) -> Void) {
            var changed = admission
            body(&changed)
            changes.append((changed, error))
        }
        changes.append((foreign, .otherAuthority))
        change(.otherAuthority) { $0.authority = foreign.authority }
        change(.badAnswer("certificate")) { $0.certificate = foreign.certificate }
        change(.badAnswer("certificate")) { $0.certificate = neighbour.certificate }
        change(.badAnswer("certificate")) { $0.certificate = [] }
        change(.badAnswer("certificate")) { $0.certificate = admission.authority }
        change(.badAnswer("certificate")) { $0.device = neighbour.device }
        change(.badAnswer("list")) { $0.list = foreign.list }
        change(.badAnswer("list")) { $0.publicKey = foreign.publicKey }
        change(.badAnswer("list")) { $0.household = foreign.household }
        change(.badAnswer("list")) { $0.list = Array($0.list.dropLast()) }
        change(.badAnswer("list")) { [household] in $0.list = household.founding.keeping.signedList }
        for (changed, error) in changes {
            #expect(throws: error) { try membership.files(changed, code, now: FoundedHousehold.now) }
        }
        #expect(throws: FoundingError.badAnswer("certificate")) {
            try membership.files(admission, code, now: days(366))
        }
        let renamed = try FoundedHousehold.newcomer("Another name")
        #expect(throws: FoundingError.badAnswer("certificate")) { try renamed.files(admission, code, now: now) }
    }

    @Test("a certificate request signed with another key, or of another kind, is refused")
    mutating func badRequests() throws {
        let request = try FoundedHousehold.newcomer().request
        for place in [request.certificateRequest.count - 1, request.certificateRequest.count / 2, 0] {
            var changed = request
            changed.certificateRequest[place] ^= 1
            #expect(try household.answer(to: changed) == .refused(.key))
        }
        var changed = request
        changed.certificateRequest = []
        #expect(try household.answer(to: changed) == .refused(.key))
        let ed25519 = try CertificateSigningRequest(
            version: .v1, subject: DistinguishedName { CommonName("Gate") },
            privateKey: Certificate.PrivateKey(Curve25519.Signing.PrivateKey()),
            attributes: CertificateSigningRequest.Attributes())
        changed.certificateRequest = try ed25519.derBytes
        #expect(try household.answer(to: changed) == .refused(.key))
        #expect(household.keeping.list.number == 1)
    }

    @Test("a newcomer can't choose another name in its certificate request")
    mutating func subject() throws {
        let key = P256.Signing.PrivateKey()
        let wanted = try CertificateSigningRequest(
            version: .v1,
            subject: DistinguishedName { CommonName(household.keeping.settings.device.description) },
            privateKey: Certificate.PrivateKey(key), attributes: CertificateSigningRequest.Attributes())
        var request = try FoundedHousehold.newcomer().request
        request.certificateRequest = try wanted.derBytes
        guard case .admitted(let admission) = try household.answer(to: request) else {
            Issue.record("not admitted")
            return
        }
        let certificate = try Certificate(derEncoded: admission.certificate)
        #expect(certificate.commonName == admission.device.description)
        #expect(admission.device != household.keeping.settings.device)
    }

    @Test("a device with a member's key is refused; a revoked one may return under another id")
    mutating func listed() throws {
        let key = SigningKey()
        let first = try household.admit(try FoundedHousehold.newcomer(key: key))
        #expect(try household.answer(to: FoundedHousehold.newcomer(key: key).request) == .refused(.listed))
        #expect(
            try household.answer(to: FoundedHousehold.newcomer("Another", key: FoundedHousehold.gatedKey).request)
                == .refused(.listed))
        _ = try household.keeping.revoke(first.device, now: now)
        let second = try household.admit(try FoundedHousehold.newcomer(key: key))
        #expect(second.device != first.device)
        #expect(household.keeping.list.member(first.device) == nil)
    }

    @Test(
        "a name that is taken, or looks like one that is, is refused until that device is revoked",
        arguments: ["Mia's tablet", "mias tablet", "Mia’s  Tablet", "Мia's tablet", "Mia's tabIet", "MIA'S TABLET"])
    mutating func names(name: String) throws {
        let first = try household.admit(try FoundedHousehold.newcomer())
        #expect(try household.answer(to: FoundedHousehold.newcomer(name).request) == .refused(.name))
        #expect(household.keeping.list.number == 2 && household.keeping.issued.count == 2)
        _ = try household.admit(try FoundedHousehold.newcomer("Tim's tablet"))
        _ = try household.keeping.revoke(first.device, now: now)
        _ = try household.admit(try FoundedHousehold.newcomer(name))
    }

    @Test("a household with a full list admits nobody else and stays as it was")
    mutating func full() throws {
        // The names have the greatest length, so that the list is full before there are 10,000 devices.
        let name = String(repeating: "y", count: HouseholdSettings.maximumNameByteCount)
        let own = household.keeping.list.members
        func hasRoom(for count: Int) throws -> Bool {
            var list = household.keeping.list
            list.members = own + many(count)
            household.keeping = try #require(
                HouseholdKeeping(
                    household.secret, settings: household.keeping.settings,
                    authority: try Certificate(derEncoded: try household.authority), list: list, issued: []))
            let answer = try household.answer(to: FoundedHousehold.newcomer(name).request, guardian: name)
            guard case .admitted(let admission) = answer else {
                #expect(answer == .refused(.full) && household.keeping.list == list)
                return false
            }
            #expect(admission.list.count <= HouseholdLimits.listBytes)
            let (seal, bytes) = (JoinSeal(try household.code()), JoinAnswer.admitted(admission).bytes)
            #expect(seal.open(seal.seal(bytes, as: .answer), as: .answer) == bytes)
            return true
        }
        let (isAdmitted, isFull) = (try hasRoom(for: 5000), try !hasRoom(for: HouseholdList.maximumMembers - 1))
        #expect(isAdmitted && isFull)
    }

    private func many(_ count: Int) -> [HouseholdMember] {
        var random = SystemRandomNumberGenerator()
        return (0..<count).map { number in
            let digits = "\(number)"
            let name = String(repeating: "x", count: HouseholdSettings.maximumNameByteCount - digits.count) + digits
            return HouseholdMember(
                id: HouseholdID(using: &random), name: name,
                publicKey: (0..<32).map { _ in .random(in: 0...255, using: &random) }, guardian: name)
        }
    }

    @Test("a revoked device is marked on the next list and stays so")
    mutating func revoked() throws {
        let admission = try household.admit(try FoundedHousehold.newcomer())
        let files = try household.keeping.revoke(admission.device, now: days(1))
        let list = try list(try #require(files.first { $0.path == "list.jws" }).content)
        #expect(list.number == 3 && list.member(admission.device)?.isRevoked == true)
        #expect(files.contains { $0.path == "mosquitto/revoked.pem" })
        _ = try household.keeping.renew(now: days(2))
        #expect(household.keeping.list.member(admission.device)?.isRevoked == true)
        #expect(throws: FoundingError.ownDevice) {
            try household.keeping.revoke(household.keeping.settings.device, now: now)
        }
    }

    @Test("a revoked device leaves the list when its certificates have expired, and the broker still refuses them")
    mutating func forgotten() throws {
        let gone = try household.admit(try FoundedHousehold.newcomer("Gone")).device
        let stays = try household.admit(try FoundedHousehold.newcomer()).device
        _ = try household.keeping.revoke(gone, now: now)
        _ = try household.keeping.renew(now: days(364))
        #expect(household.keeping.list.member(gone)?.isRevoked == true)
        _ = try household.keeping.renew(now: days(366))
        #expect(household.keeping.list.member(gone) == nil && household.keeping.list.member(stays) != nil)
        let revoked = try household.keeping.revocationFile(now: days(366)).content
        let authority = try HouseholdAuthority(
            household.secret, certificate: Certificate(derEncoded: household.authority))
        let numbers = authority?.revoked(in: revoked)
        let certificates = household.keeping.issued.filter { $0.device == gone }.map(\.certificate.serialNumber)
        #expect(!certificates.isEmpty && certificates.allSatisfy { numbers?.contains($0) ?? false })
    }

    @Test("a device can be named by its id, or by its name if only one has it")
    mutating func naming() throws {
        let first = try household.admit(try FoundedHousehold.newcomer())
        #expect(try household.keeping.member(named: "Mia's tablet").id == first.device)
        #expect(try household.keeping.member(named: first.device.description).id == first.device)
        // Lists of earlier versions may have a name twice.
        var list = household.keeping.list
        let twin = HouseholdID(using: &household.random)
        list.members.append(HouseholdMember(id: twin, name: "Mia's tablet", publicKey: SigningKey().publicKey))
        let authority = try Certificate(derEncoded: household.authority)
        let twins = HouseholdKeeping(
            household.secret, settings: household.keeping.settings, authority: authority, list: list,
            issued: household.keeping.issued)
        household.keeping = try #require(twins)
        #expect(throws: FoundingError.ambiguousDevice("Mia's tablet")) {
            try household.keeping.member(named: "Mia's tablet")
        }
        _ = try household.keeping.revoke(twin, now: now)
        #expect(try household.keeping.member(named: "Mia's tablet").id == first.device)
        _ = try household.keeping.revoke(first.device, now: now)
        let second = try household.admit(try FoundedHousehold.newcomer())
        #expect(try household.keeping.member(named: "Mia's tablet").id == second.device)
        #expect(throws: FoundingError.unknownDevice("nobody")) { try household.keeping.member(named: "nobody") }
    }

    @Test(
        "certificates and the list are renewed in their last thirty days with the same keys, but not for revoked ones")
    mutating func renewed() throws {
        let membership = try FoundedHousehold.newcomer()
        let code = try household.code()
        let admission = try household.admit(membership)
        let gone = try household.admit(try FoundedHousehold.newcomer("Gone"))
        _ = try household.keeping.revoke(gone.device, now: now)
        let early = try household.keeping.renew(now: days(300))
        #expect(early.certificates.isEmpty && early.files.map(\.path) == ["list.jws"])
        #expect(household.keeping.list.expires == days(330))
        let due = try household.keeping.renew(now: days(340))
        #expect(due.certificates.map(\.device) == [admission.device])
        #expect(due.files.contains { $0.path == "device.pem" && $0.readers == .service })
        // The newcomer takes it, once.
        let (_, files) = try membership.files(admission, code, now: now)
        let old = try #require(files.first { $0.path == "device.pem" }).content
        let authority = try #require(files.first { $0.path == "ca.pem" }).content
        let new = due.certificates[0].pem
        func file(_ new: [UInt8], _ old: [UInt8], _ device: HouseholdID) -> HouseholdFile? {
            HouseholdMembership.renewedFile(new, old: old, authority: authority, device: device, now: days(341))
        }
        #expect(file(new, old, admission.device)?.content == new)
        #expect(file(new, new, admission.device) == nil)
        #expect(file(old, new, admission.device) == nil)
        #expect(file(new, old, gone.device) == nil)
        #expect(file(Array("nothing".utf8), old, admission.device) == nil)
        var other = try FoundedHousehold()
        let foreign = try other.admit(membership, now: days(340))
        #expect(file(try Certificate(derEncoded: foreign.certificate).pem, old, admission.device) == nil)
        #expect(try household.keeping.renew(now: days(341)).certificates.isEmpty)
    }

    @Test("a household founded anew has the same keys and devices, and a list with a higher number")
    mutating func recovered() throws {
        let admission = try household.admit(try FoundedHousehold.newcomer())
        let secret = try #require(HouseholdSecret(recoveryKey: household.secret.recoveryKey))
        for former in [household.keeping.list, nil] {
            let again = try HouseholdFounding(
                .init(name: "New laptop", guardian: "Anna", broker: try #require(BrokerAddress("gate.example"))),
                secret: secret, keys: SigningKey().publicKeys, former: .init(former), now: days(3),
                using: &household.random)
            let list = again.keeping.list
            #expect(list.number > household.keeping.list.number && list.number < 1 << 45)
            #expect(list.members.count == (former == nil ? 1 : 3))
            #expect(again.keeping.settings.publicKey == household.keeping.settings.publicKey)
            // Certificates that were signed before still have the same authority.
            let authority = try Certificate(derEncoded: try again.keeping.authorityBytes)
            let old = try Certificate(derEncoded: admission.certificate)
            #expect(old.vouches(for: old.publicKey, admission.device, by: authority, at: days(3)))
        }
    }

    @Test(
        "a household founded anew keeps its revocations, from its certificates and the list of revoked ones")
    mutating func recoversRevoked() throws {
        let gone = try household.admit(try FoundedHousehold.newcomer())
        let other = try household.admit(try FoundedHousehold.newcomer("Other"))
        let serial = try Certificate(derEncoded: gone.certificate).serialNumber
        let files = try household.keeping.revoke(gone.device, now: now)
        let revoked = try #require(files.first { $0.path == HouseholdFileName.revoked }).content
        let authority = try #require(
            HouseholdAuthority(household.secret, certificate: Certificate(derEncoded: household.authority)))
        #expect(authority.revoked(in: revoked) == [serial])
        let foreign = try FoundedHousehold()
        var former = HouseholdFounding.FormerMembers(household.keeping.list)
        let certificates = try household.keeping.issued.map { try $0.certificate.pem }
        for (known, before, isKept) in [
            (certificates, nil, true), ([], revoked, true), (certificates, revoked, true), ([], nil, false),
            (try foreign.keeping.issued.map { try $0.certificate.pem }, nil, false),
        ] as [([[UInt8]], [UInt8]?, Bool)] {
            (former.certificates, former.revoked) = (known, before)
            let again = try found(former)
            let written = try #require(again.files.first { $0.path == HouseholdFileName.revoked }).content
            #expect(authority.revoked(in: written) == (isKept ? [serial] : []))
            #expect(again.keeping.list.member(gone.device)?.isRevoked == true)
            #expect(again.keeping.revokedWithoutCertificates.isEmpty == known.contains(certificates[1]))
            // The next one who is revoked takes nobody off that list.
            var keeping = again.keeping
            let next = try keeping.revoke(other.device, now: now).first { $0.path == HouseholdFileName.revoked }
            let list = try #require(next).content
            let numbers = try #require(authority.revoked(in: list))
            #expect(numbers.contains(serial) == isKept)
            #expect(numbers.count == Set(numbers).count)
        }
        (former.certificates, former.revoked) = ([], try foreign.file(HouseholdFileName.revoked))
        #expect(throws: FoundingError.badFile(path: HouseholdFileName.revoked)) { _ = try found(former) }
    }

    private mutating func found(_ former: HouseholdFounding.FormerMembers) throws -> HouseholdFounding {
        try HouseholdFounding(
            .init(name: "New laptop", guardian: "Anna", broker: try #require(BrokerAddress("gate.example"))),
            secret: household.secret, keys: SigningKey().publicKeys, former: former, now: now,
            using: &household.random)
    }

    @Test("a list of revoked certificates with any byte changed or missing is refused")
    mutating func revocationList() throws {
        let authority = try HouseholdAuthority(household.secret, now: now)
        let serials = (0..<20).map { _ in Certificate.SerialNumber() }
        for numbers in [[], serials] {
            let pem = try authority.revocationList(of: numbers, now: now)
            #expect(authority.revoked(in: pem) == numbers)
            let document = try PEMDocument(pemString: String(decoding: pem, as: UTF8.self))
            for place in document.derBytes.indices {
                var changed = document.derBytes
                changed[place] ^= 1
                let text = PEMDocument(type: "X509 CRL", derBytes: changed).pemString
                #expect(authority.revoked(in: Array(text.utf8)) == nil, "\(place)")
            }
            for bad in [[], Array("none".utf8), try authority.certificate.pem] {
                #expect(authority.revoked(in: bad) == nil)
            }
        }
    }

    @Test("files of different households are not taken up together")
    func foreign() throws {
        let other = try FoundedHousehold()
        let keeping = household.keeping
        let authority = try Certificate(derEncoded: try keeping.authorityBytes)
        let foreign = try Certificate(derEncoded: try other.keeping.authorityBytes)
        func taken(
            _ secret: HouseholdSecret, _ settings: HouseholdSettings, _ authority: Certificate, _ list: HouseholdList
        ) -> Bool {
            HouseholdKeeping(secret, settings: settings, authority: authority, list: list, issued: []) != nil
        }
        #expect(taken(household.secret, keeping.settings, authority, keeping.list))
        #expect(!taken(other.secret, keeping.settings, authority, keeping.list))
        #expect(!taken(household.secret, other.keeping.settings, authority, keeping.list))
        #expect(!taken(household.secret, keeping.settings, foreign, keeping.list))
        #expect(!taken(household.secret, keeping.settings, authority, other.keeping.list))
    }
}

extension CertificateSigningRequest {
    var derBytes: [UInt8] {
        get throws {
            var serializer = DER.Serializer()
            try serializer.serialize(self)
            return serializer.serializedBytes
        }
    }
}
