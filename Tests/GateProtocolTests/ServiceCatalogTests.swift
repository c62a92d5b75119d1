import CGateProtocol
import Foundation
import GateProtocol
import Testing

@Suite("The catalogue of services")
struct ServiceCatalogTests {
    /// A method as the text of a .proto file declares it.
    struct Declaration: Hashable {
        let service: String
        let name: String
        let input: String
        let output: String
        let isServerStream: Bool
    }

    /// A `Method`, without its types.
    struct Entry: Hashable {
        let service: String
        let name: String
        let input: UnsafePointer<ProtobufCMessageDescriptor>
        let output: UnsafePointer<ProtobufCMessageDescriptor>
        let isServerStream: Bool

        init<Request, Response>(_ method: GateProtocol.Method<Request, Response>) {
            service = method.service
            name = method.name
            input = Request.descriptor
            output = Response.descriptor
            isServerStream = method.kind == .serverStream
        }

        init(_ method: MethodDescription) {
            service = method.service
            name = method.name
            input = method.input
            output = method.output
            isServerStream = method.isServerStream
        }
    }

    private static func declarations() throws -> Set<Declaration> {
        var declarations: Set<Declaration> = []
        let folder = Repository.root.appendingPathComponent("proto/gate/v1")
        for file in try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil) {
            var service = ""
            for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
                if let match = line.wholeMatch(of: /service (\w+) \{/) { service = "gate.v1.\(match.1)" }
                if let match = line.firstMatch(of: /^\s*rpc (\w+)\((\w+)\) returns \((stream )?(\w+)\);/) {
                    declarations.insert(
                        Declaration(
                            service: service, name: String(match.1), input: "gate.v1.\(match.2)",
                            output: "gate.v1.\(match.4)", isServerStream: match.3 != nil))
                }
            }
        }
        return declarations
    }

    @Test("every method of the .proto files is there, and streams where they say so")
    func matchesProtoFiles() throws {
        let described = ServiceCatalog.all.flatMap(\.methods).map {
            Declaration(
                service: $0.service, name: $0.name, input: String(cString: $0.input.pointee.name),
                output: String(cString: $0.output.pointee.name), isServerStream: $0.isServerStream)
        }
        let declared = try Self.declarations()
        #expect(Set(described) == declared)
        #expect(declared.count >= 79)
        #expect(declared.contains { $0.isServerStream })
    }

    @Test("every method of the .proto files has an entry in Methods, with its messages")
    func everyMethodHasAnEntry() {
        let entries = [
            Entry(Methods.Mode.get), Entry(Methods.Mode.toggle), Entry(Methods.Mode.cancel), Entry(Methods.Mode.lock),
            Entry(Methods.Mode.extend), Entry(Methods.Mode.override),
            Entry(Methods.Authorization.check), Entry(Methods.Authorization.authorize),
            Entry(Methods.Authorization.redeem), Entry(Methods.Authorization.listGrants),
            Entry(Methods.Authorization.revoke), Entry(Methods.Authorization.listGatedActions),
            Entry(Methods.Authorization.getGatedAction), Entry(Methods.Authorization.listLockouts),
            Entry(Methods.Authorization.clearLockout), Entry(Methods.Authorization.listAsks),
            Entry(Methods.Authorization.answerAsk), Entry(Methods.Authorization.withdrawAsk),
            Entry(Methods.Authorization.askMoreTime),
            Entry(Methods.Usage.countUse), Entry(Methods.Usage.listUsage),
            Entry(Methods.Secrets.get), Entry(Methods.Secrets.setPasscode), Entry(Methods.Secrets.enrolTOTP),
            Entry(Methods.Secrets.remove),
            Entry(Methods.Presentations.register), Entry(Methods.Presentations.claim),
            Entry(Methods.Presentations.report), Entry(Methods.Presentations.complete),
            Entry(Methods.Presentations.dismiss), Entry(Methods.Presentations.awaitClosing),
            Entry(Methods.Presentations.withdraw), Entry(Methods.Presentations.list),
            Entry(Methods.People.list), Entry(Methods.People.set), Entry(Methods.People.remove),
            Entry(Methods.Age.query), Entry(Methods.Age.getSettings), Entry(Methods.Age.setSettings),
            Entry(Methods.Age.listApps), Entry(Methods.Age.setChoice),
            Entry(Methods.SignIn.get), Entry(Methods.SignIn.logIn), Entry(Methods.SignIn.logOut),
            Entry(Methods.SignIn.register), Entry(Methods.SignIn.changePassword), Entry(Methods.SignIn.listAccounts),
            Entry(Methods.SignIn.removeAccount), Entry(Methods.SignIn.confirmAccount),
            Entry(Methods.Entitlements.get), Entry(Methods.Entitlements.listClaims),
            Entry(Methods.Entitlements.addClaim), Entry(Methods.Entitlements.revokeClaim),
            Entry(Methods.Entitlements.submitSignedTransaction), Entry(Methods.Entitlements.submitRenewalInfo),
            Entry(Methods.Entitlements.submitServerNotification), Entry(Methods.Entitlements.submitCustomerInfo),
            Entry(Methods.Entitlements.reportProvider), Entry(Methods.Entitlements.requestPaywall),
            Entry(Methods.Entitlements.requirePremium), Entry(Methods.Entitlements.reportOffers),
            Entry(Methods.Entitlements.listOffers),
            Entry(Methods.Questionnaires.list), Entry(Methods.Questionnaires.get), Entry(Methods.Questionnaires.open),
            Entry(Methods.Questionnaires.read), Entry(Methods.Questionnaires.set),
            Entry(Methods.Questionnaires.suggest),
            Entry(Methods.Questionnaires.remove), Entry(Methods.Questionnaires.fill),
            Entry(Methods.Questionnaires.reset), Entry(Methods.Questionnaires.validate),
            Entry(Methods.Questionnaires.save), Entry(Methods.Questionnaires.load),
            Entry(Methods.Questionnaires.complete), Entry(Methods.Questionnaires.discard),
            Entry(Methods.Questionnaires.listDrafts), Entry(Methods.Questionnaires.label),
            Entry(Methods.Questionnaires.listResponses), Entry(Methods.Questionnaires.getResponse),
            Entry(Methods.Questionnaires.withdrawResponse),
            Entry(Methods.Questionnaires.listParts), Entry(Methods.Questionnaires.getPart),
            Entry(Methods.Questionnaires.savePart), Entry(Methods.Questionnaires.labelPart),
            Entry(Methods.Questionnaires.removePart), Entry(Methods.Questionnaires.takeParts),
            Entry(Methods.Questionnaires.request),
            Entry(Methods.Questionnaires.upload), Entry(Methods.Questionnaires.download),
            Entry(Methods.ReleaseNotes.show), Entry(Methods.ReleaseNotes.get),
            Entry(Methods.ReleaseNotes.acknowledge), Entry(Methods.ReleaseNotes.reset),
            Entry(Methods.ReleaseNotes.list),
            Entry(Methods.Household.get),
            Entry(Methods.Household.submitGuardians),
            Entry(Methods.Household.submitPolicy),
            Entry(Methods.Household.submitCommand),
            Entry(Methods.Household.createDeviceKey),
            Entry(Methods.Household.sendCommand),
            Entry(Methods.Household.getResults),
            Entry(Methods.Household.collectCommands),
            Entry(Methods.Household.reportDevices),
            Entry(Methods.Household.submitResult),
            Entry(Methods.Household.obeyHomeAssistant),
            Entry(Methods.Household.listDevices),
            Entry(Methods.Household.collectRequests),
            Entry(Methods.Household.submitRequests),
            Entry(Methods.Household.listRequests),
            Entry(Methods.Household.answerRequest),
            Entry(Methods.Household.collectReceipts),
            Entry(Methods.Household.collectAnswers),
            Entry(Methods.Household.submitReceipt),
            Entry(Methods.Household.collectUsage), Entry(Methods.Household.submitUsage),
            Entry(Methods.Watch.watch), Entry(Methods.Watch.audit),
            Entry(Methods.Control.ping), Entry(Methods.Control.cancel), Entry(Methods.Control.version),
            Entry(Methods.Control.statistics), Entry(Methods.Control.reload), Entry(Methods.Control.recover),
            Entry(Methods.Control.describe), Entry(Methods.Control.policy), Entry(Methods.Control.setGate),
            Entry(Methods.Control.setTimeRule), Entry(Methods.Control.backup), Entry(Methods.Control.restore),
        ]
        #expect(Set(entries) == Set(ServiceCatalog.all.flatMap(\.methods).map(Entry.init)))
    }

    @Test("a method is found only by its exact service and name")
    func find() {
        #expect(ServiceCatalog.find(service: "gate.v1.Watch", method: "Audit")?.isServerStream == true)
        #expect(ServiceCatalog.find(service: "gate.v1.Mode", method: "GetMode")?.isServerStream == false)
        #expect(ServiceCatalog.find(service: "gate.v1.Mode", method: "get") == nil)
        #expect(ServiceCatalog.find(service: "Mode", method: "GetMode") == nil)
        #expect(ServiceCatalog.find(service: "", method: "") == nil)
    }
}
