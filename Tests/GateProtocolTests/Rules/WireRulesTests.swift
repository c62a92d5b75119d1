import Foundation
import Testing

@Suite("The rules of the wire")
struct WireRulesTests {
    /// A wire that breaks one rule.
    struct Fault: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let make: @Sendable (inout WireDescription) -> Void

        init(_ finding: String, _ make: @escaping @Sendable (inout WireDescription) -> Void) {
            testDescription = finding
            self.make = make
        }
    }

    private static let file = "a/v1/a_lamp.proto"
    private static let clean = WireDescription(
        files: [
            .init(name: file, package: "a.v1", syntax: "proto3", imports: ["a/v1/b.proto"]),
            .init(name: "a/v1/b.proto", package: "a.v1", syntax: "proto3", imports: []),
        ],
        messages: [
            .init(
                file: file, name: "a.v1.DimRequest",
                fields: [
                    .init(name: "room_number", number: 1, type: "int64", oneof: "room"),
                    .init(name: "lamp", number: 2, type: "a.v1.Lamp", isMessage: true),
                ]),
            .init(file: file, name: "a.v1.DimResponse", fields: []),
            .init(file: "a/v1/b.proto", name: "a.v1.Lamp", fields: []),
        ],
        enumerations: [
            .init(
                file: file, name: "a.v1.LampColour",
                values: [.init(name: "LAMP_COLOUR_UNSPECIFIED", number: 0), .init(name: "LAMP_COLOUR_RED", number: 1)])
        ],
        services: [
            .init(
                file: file, name: "a.v1.LampService",
                methods: [.init(name: "Dim", input: "a.v1.DimRequest", output: "a.v1.DimResponse")])
        ])

    private static let faults: [Fault] = [
        Fault("PACKAGE_DEFINED: a/v1/b.proto") { $0.files[1].package = "" },
        Fault("PACKAGE_DIRECTORY_MATCH: a/v1/b.proto") { $0.files[1].package = "a.v2" },
        Fault("DIRECTORY_SAME_PACKAGE: a/v1/b.proto") { $0.files[1].package = "b.v1" },
        Fault("PACKAGE_LOWER_SNAKE_CASE: A/v1/b.proto") {
            $0.files[1] = .init(name: "A/v1/b.proto", package: "A.v1", syntax: "proto3", imports: [])
        },
        Fault("PACKAGE_VERSION_SUFFIX: a/b.proto") {
            $0.files[1] = .init(name: "a/b.proto", package: "a", syntax: "proto3", imports: [])
        },
        Fault("FILE_LOWER_SNAKE_CASE: a/v1/Lamp.proto") {
            $0.files.append(.init(name: "a/v1/Lamp.proto", package: "a.v1", syntax: "proto3", imports: []))
        },
        Fault("SYNTAX_SPECIFIED: a/v1/b.proto") { $0.files[1].syntax = "" },
        Fault("IMPORT_NO_PUBLIC: \(file)") { $0.files[0].specialImports = [0] },
        Fault("IMPORT_USED: \(file) a/v1/b.proto") { $0.messages[0].fields.removeLast() },
        Fault("MESSAGE_PASCAL_CASE: a.v1.lamp_shade") {
            $0.messages.append(.init(file: Self.file, name: "a.v1.lamp_shade", fields: []))
        },
        Fault("FIELD_LOWER_SNAKE_CASE: a.v1.DimRequest.roomNumber") {
            $0.messages[0].fields[0].name = "roomNumber"
        },
        Fault("ONEOF_LOWER_SNAKE_CASE: a.v1.DimRequest.Room") { $0.messages[0].fields[0].oneof = "Room" },
        Fault("ONEOF_OF_ONE_MESSAGE: a.v1.DimRequest.what") { $0.messages[0].fields[1].oneof = "what" },
        Fault("ENUM_PASCAL_CASE: a.v1.lampColour") { $0.enumerations[0].name = "a.v1.lampColour" },
        Fault("ENUM_FIRST_VALUE_ZERO: a.v1.LampColour") { $0.enumerations[0].values.removeFirst() },
        Fault("ENUM_NO_ALLOW_ALIAS: a.v1.LampColour") { $0.enumerations[0].allowsAliases = true },
        Fault("ENUM_VALUE_UPPER_SNAKE_CASE: a.v1.LampColour.LAMP_COLOUR_Red") {
            $0.enumerations[0].values[1].name = "LAMP_COLOUR_Red"
        },
        Fault("ENUM_VALUE_PREFIX: a.v1.LampColour.RED") { $0.enumerations[0].values[1].name = "RED" },
        Fault("ENUM_ZERO_VALUE_SUFFIX: a.v1.LampColour.LAMP_COLOUR_NONE") {
            $0.enumerations[0].values[0].name = "LAMP_COLOUR_NONE"
        },
        Fault("SERVICE_PASCAL_CASE: a.v1.lampService") { $0.services[0].name = "a.v1.lampService" },
        Fault("SERVICE_SUFFIX: a.v1.Lamps") { $0.services[0].name = "a.v1.Lamps" },
        Fault("RPC_PASCAL_CASE: a.v1.LampService/dim") {
            $0.services[0].methods[0] = .init(name: "dim", input: "a.v1.dimRequest", output: "a.v1.dimResponse")
        },
        Fault("RPC_REQUEST_STANDARD_NAME: a.v1.LampService/Dim") { $0.services[0].methods[0].input = "a.v1.Other" },
        Fault("RPC_RESPONSE_STANDARD_NAME: a.v1.LampService/Dim") { $0.services[0].methods[0].output = "a.v1.Other" },
        Fault("RPC_REQUEST_RESPONSE_UNIQUE: a.v1.LampService/Dim") {
            $0.services.append(
                .init(
                    file: Self.file, name: "a.v1.OtherService",
                    methods: [.init(name: "Dim", input: "a.v1.DimRequest", output: "a.v1.DimResponse")]))
        },
        Fault("RPC_NO_CLIENT_STREAMING: a.v1.LampService/Dim") { $0.services[0].methods[0].isClientStream = true },
        Fault("KEYWORD: a.v1.DimRequest.operator, of C++") { $0.messages[0].fields[0].name = "operator" },
        Fault("KEYWORD: a.v1.LampService/Register, of C") {
            $0.services[0].methods[0] = .init(
                name: "Register", input: "a.v1.RegisterRequest", output: "a.v1.RegisterResponse")
        },
        Fault("KEYWORD: a.v1.LampService/Override, of Rust") {
            $0.services[0].methods[0] = .init(
                name: "Override", input: "a.v1.OverrideRequest", output: "a.v1.OverrideResponse")
        },
        Fault("KEYWORD: a.v1.LampService/Await, of JavaScript") {
            $0.services[0].methods[0] = .init(name: "Await", input: "a.v1.AwaitRequest", output: "a.v1.AwaitResponse")
        },
        Fault("KEYWORD: a.v1.None, of Python") {
            $0.messages.append(.init(file: Self.file, name: "a.v1.None", fields: []))
        },
    ]

    @Test("a wire that keeps all rules has no finding")
    func cleanWire() {
        #expect(WireRules.findings(in: Self.clean) == [])
    }

    @Test("each broken rule is found", arguments: faults)
    func fault(fault: Fault) {
        var wire = Self.clean
        fault.make(&wire)
        #expect(WireRules.findings(in: wire).map(\.description).contains(fault.testDescription))
    }

    @Test("Gate's wire keeps all rules, except where proto/README.md gives a reason")
    func wire() throws {
        let page = try String(contentsOf: Repository.root.appendingPathComponent("proto/README.md"), encoding: .utf8)
        var exceptions: Set<WireRules.Finding> = []
        for line in page.split(separator: "\n") {
            guard let match = line.wholeMatch(of: /\| `([A-Z_]+)` \| (.+) \| (.+) \|/) else { continue }
            for name in match.2.split(separator: ", ") {
                exceptions.insert(.init(rule: String(match.1), name: name.trimmingCharacters(in: ["`"])))
            }
        }
        let findings = Set(WireRules.findings(in: .current))
        #expect(findings.subtracting(exceptions) == [], "mend these, or give a reason in proto/README.md")
        #expect(exceptions.subtracting(findings) == [], "proto/README.md excepts what breaks no rule")
    }
}
