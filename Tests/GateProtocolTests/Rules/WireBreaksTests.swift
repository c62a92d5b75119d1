import Foundation
import GateProtocol
import Testing

@Suite("The wire only grows")
struct WireBreaksTests {
    /// A change of a wire, and the line that reports it.
    struct Change: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let make: @Sendable (inout WireDescription) -> Void

        init(_ finding: String, _ make: @escaping @Sendable (inout WireDescription) -> Void) {
            testDescription = finding
            self.make = make
        }
    }

    private static let wire = WireDescription(
        files: [.init(name: "a/v1/a.proto", package: "a.v1", syntax: "proto3", imports: [])],
        messages: [
            .init(
                file: "a/v1/a.proto", name: "a.v1.Lamp",
                fields: [
                    .init(name: "name", number: 1, type: "string"),
                    .init(name: "colours", number: 2, type: "a.v1.Colour", isRepeated: true),
                    .init(name: "until", number: 3, type: "int64", oneof: "end"),
                ]),
            .init(file: "a/v1/a.proto", name: "a.v1.Room", fields: []),
        ],
        enumerations: [
            .init(
                file: "a/v1/a.proto", name: "a.v1.Colour",
                values: [.init(name: "COLOUR_UNSPECIFIED", number: 0), .init(name: "COLOUR_RED", number: 1)])
        ],
        services: [
            .init(
                file: "a/v1/a.proto", name: "a.v1.Lamps",
                methods: [
                    .init(name: "Switch", input: "a.v1.Lamp", output: "a.v1.Room"),
                    .init(name: "Watch", input: "a.v1.Room", output: "a.v1.Lamp", isServerStream: true),
                ])
        ])

    private static let breaks: [Change] = [
        Change("message a.v1.Room is gone") { $0.messages.removeLast() },
        Change("message a.v1.Room is gone") { $0.messages[1].name = "a.v1.Hall" },
        Change("field 1 of a.v1.Lamp, name, is gone") { $0.messages[0].fields.removeFirst() },
        Change("field 1 of a.v1.Lamp, name, is gone") { $0.messages[0].fields[0].number = 9 },
        Change("the name of field 1 of a.v1.Lamp was name and is title") { $0.messages[0].fields[0].name = "title" },
        Change("the type of field 1 of a.v1.Lamp was string and is bytes") { $0.messages[0].fields[0].type = "bytes" },
        Change("the label of field 2 of a.v1.Lamp was repeated and is single") {
            $0.messages[0].fields[1].isRepeated = false
        },
        Change("the oneof of field 3 of a.v1.Lamp was end and is none") { $0.messages[0].fields[2].oneof = nil },
        Change("the oneof of field 1 of a.v1.Lamp was none and is end") { $0.messages[0].fields[0].oneof = "end" },
        Change("enum a.v1.Colour is gone") { $0.enumerations.removeAll() },
        Change("value 1 of a.v1.Colour, COLOUR_RED, is gone") { $0.enumerations[0].values.removeLast() },
        Change("value 1 of a.v1.Colour, COLOUR_RED, is gone") { $0.enumerations[0].values[1].number = 2 },
        Change("the name of value 1 of a.v1.Colour was COLOUR_RED and is COLOUR_ROSE") {
            $0.enumerations[0].values[1].name = "COLOUR_ROSE"
        },
        Change("service a.v1.Lamps is gone") { $0.services.removeAll() },
        Change("method a.v1.Lamps/Switch is gone") { $0.services[0].methods.removeFirst() },
        Change("the request of method a.v1.Lamps/Switch was a.v1.Lamp and is a.v1.Room") {
            $0.services[0].methods[0].input = "a.v1.Room"
        },
        Change("the response of method a.v1.Lamps/Switch was a.v1.Room and is a.v1.Lamp") {
            $0.services[0].methods[0].output = "a.v1.Lamp"
        },
        Change("the streams of method a.v1.Lamps/Watch was responses and is none") {
            $0.services[0].methods[1].isServerStream = false
        },
        Change("the streams of method a.v1.Lamps/Switch was none and is requests") {
            $0.services[0].methods[0].isClientStream = true
        },
    ]

    private static let growth: [Change] = [
        Change("nothing") { _ in },
        Change("a message") { $0.messages.append(.init(file: "a/v1/b.proto", name: "a.v1.New", fields: [])) },
        Change("a field") { $0.messages[0].fields.append(.init(name: "new", number: 4, type: "bool")) },
        Change("a value") { $0.enumerations[0].values.append(.init(name: "COLOUR_BLUE", number: 2)) },
        Change("a method") {
            $0.services[0].methods.append(.init(name: "New", input: "a.v1.Room", output: "a.v1.Room"))
        },
        Change("another file, another order") {
            $0.messages.reverse()
            $0.messages[0].file = "a/v1/b.proto"
            $0.messages[1].fields.reverse()
        },
    ]

    @Test("each removal or change in the .proto files is reported as a break, and nothing else is", arguments: breaks)
    func breakIsFound(change: Change) {
        var new = Self.wire
        change.make(&new)
        #expect(WireBreaks.breaks(from: Self.wire, to: new) == [change.testDescription])
    }

    @Test("an addition to the .proto files breaks nothing", arguments: growth)
    func growthIsAllowed(change: Change) {
        var new = Self.wire
        change.make(&new)
        #expect(WireBreaks.breaks(from: Self.wire, to: new) == [])
    }

    @Test("the description holds what the descriptor set says")
    func description() throws {
        let wire = WireDescription.current
        let summary = try #require(wire.messages.first { $0.name == "gate.v1.Presentation" })
        #expect(
            summary.fields.first
                == .init(name: "summary", number: 1, type: "gate.v1.PresentationSummary", isMessage: true))
        #expect(summary.fields.first { $0.name == "quiz" }?.oneof == "content")
        let request = try #require(wire.messages.first { $0.name == "gate.v1.WatchRequest" })
        #expect(request.fields.first == .init(name: "topics", number: 1, type: "gate.v1.Topic", isRepeated: true))
        #expect(wire.enumerations.first { $0.name == "gate.v1.ModeState.Mode" }?.values.map(\.number) == [0, 1, 2, 3])
        let methods = wire.services.flatMap { service in service.methods.map { (service.name, $0) } }
        #expect(methods.count == ServiceCatalog.all.flatMap(\.methods).count)
        #expect(methods.contains { $0.0 == "gate.v1.Watch" && $0.1.name == "Audit" && $0.1.isServerStream })
        #expect(wire.files.contains { $0.imports.contains("gate/v1/common.proto") && $0.syntax == "proto3" })
    }

    @Test("everything that a release had is there, and is the same")
    func releases() throws {
        let folder = Repository.root.appendingPathComponent("proto/released")
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .filter { $0.pathExtension == "binpb" }
        try #require(!files.isEmpty, "no release is kept in proto/released")
        for file in files {
            let released = WireDescription(descriptorSet: [UInt8](try Data(contentsOf: file)))
            try #require(released.services.count >= 10, "\(file.lastPathComponent) holds no wire")
            let breaks = WireBreaks.breaks(from: released, to: .current)
            #expect(breaks == [], "a client of \(file.lastPathComponent) would break")
        }
    }
}
