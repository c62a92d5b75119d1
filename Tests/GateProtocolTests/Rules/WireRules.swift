/// The rules that linters of .proto files hold to, under the names that buf gives them, and two of our own.
enum WireRules {
    struct Finding: Hashable, CustomStringConvertible {
        let rule: String
        /// The full name of the place that breaks the rule.
        let name: String

        var description: String { "\(rule): \(name)" }
    }

    /// Every place where a wire breaks a rule.
    static func findings(in wire: WireDescription) -> [Finding] {
        fileFindings(in: wire) + messageFindings(in: wire) + enumFindings(in: wire) + serviceFindings(in: wire)
            + keywordFindings(in: wire)
    }

    private static func fileFindings(in wire: WireDescription) -> [Finding] {
        wire.files.flatMap { file -> [Finding] in
            let folder = file.name.split(separator: "/").dropLast().joined(separator: "/")
            let stem = file.name.dropFirst(folder.isEmpty ? 0 : folder.utf8.count + 1).dropLast(".proto".utf8.count)
            let packages = Set(wire.files.filter { $0.name.hasPrefix(folder + "/") }.map(\.package))
            return [
                ("PACKAGE_DEFINED", !file.package.isEmpty),
                ("PACKAGE_DIRECTORY_MATCH", file.package.split(separator: ".").joined(separator: "/") == folder),
                ("DIRECTORY_SAME_PACKAGE", packages.count <= 1),
                ("PACKAGE_LOWER_SNAKE_CASE", file.package.split(separator: ".").allSatisfy { isLowerSnake($0) }),
                (
                    "PACKAGE_VERSION_SUFFIX",
                    lastPart(of: file.package).wholeMatch(of: /v[1-9][0-9]*((alpha|beta)[1-9][0-9]*)?/) != nil
                ),
                ("FILE_LOWER_SNAKE_CASE", isLowerSnake(stem)),
                ("SYNTAX_SPECIFIED", !file.syntax.isEmpty),
                ("IMPORT_NO_PUBLIC", file.specialImports.isEmpty),
            ].filter { !$0.1 }.map { Finding(rule: $0.0, name: file.name) } + unusedImports(of: file, in: wire)
        }
    }

    private static func unusedImports(of file: WireDescription.File, in wire: WireDescription) -> [Finding] {
        let types =
            wire.messages.filter { $0.file == file.name }.flatMap(\.fields).map(\.type)
            + wire.services.filter { $0.file == file.name }.flatMap(\.methods).flatMap { [$0.input, $0.output] }
        let places = Dictionary(
            wire.messages.map { ($0.name, $0.file) } + wire.enumerations.map { ($0.name, $0.file) },
            uniquingKeysWith: { first, _ in first })
        let used = Set(types.compactMap { places[$0] })
        return file.imports.filter { !used.contains($0) }.map {
            Finding(rule: "IMPORT_USED", name: "\(file.name) \($0)")
        }
    }

    private static func messageFindings(in wire: WireDescription) -> [Finding] {
        wire.messages.flatMap { message -> [Finding] in
            var findings: [Finding] = []
            if !isPascal(lastPart(of: message.name)) {
                findings.append(Finding(rule: "MESSAGE_PASCAL_CASE", name: message.name))
            }
            for field in message.fields where !isLowerSnake(field.name) {
                findings.append(Finding(rule: "FIELD_LOWER_SNAKE_CASE", name: "\(message.name).\(field.name)"))
            }
            for (oneof, fields) in Dictionary(
                grouping: message.fields.filter { $0.oneof != nil }, by: { $0.oneof ?? "" }
            )
            .sorted(by: { $0.key < $1.key }) {
                let name = "\(message.name).\(oneof)"
                if !isLowerSnake(oneof) { findings.append(Finding(rule: "ONEOF_LOWER_SNAKE_CASE", name: name)) }
                // A message field can be absent by itself, so that a oneof of one message is needless.
                if fields.count == 1, fields[0].isMessage {
                    findings.append(Finding(rule: "ONEOF_OF_ONE_MESSAGE", name: name))
                }
            }
            return findings
        }
    }

    private static func enumFindings(in wire: WireDescription) -> [Finding] {
        wire.enumerations.flatMap { enumeration -> [Finding] in
            let prefix = upperSnake(lastPart(of: enumeration.name)) + "_"
            var findings: [Finding] = []
            if !isPascal(lastPart(of: enumeration.name)) {
                findings.append(Finding(rule: "ENUM_PASCAL_CASE", name: enumeration.name))
            }
            if enumeration.values.first?.number != 0 {
                findings.append(Finding(rule: "ENUM_FIRST_VALUE_ZERO", name: enumeration.name))
            }
            if enumeration.allowsAliases {
                findings.append(Finding(rule: "ENUM_NO_ALLOW_ALIAS", name: enumeration.name))
            }
            for value in enumeration.values {
                let name = "\(enumeration.name).\(value.name)"
                if value.name.wholeMatch(of: /[A-Z][A-Z0-9]*(_[A-Z0-9]+)*/) == nil {
                    findings.append(Finding(rule: "ENUM_VALUE_UPPER_SNAKE_CASE", name: name))
                }
                if !value.name.hasPrefix(prefix) { findings.append(Finding(rule: "ENUM_VALUE_PREFIX", name: name)) }
                if value.number == 0, !value.name.hasSuffix("_UNSPECIFIED") {
                    findings.append(Finding(rule: "ENUM_ZERO_VALUE_SUFFIX", name: name))
                }
            }
            return findings
        }
    }

    private static func serviceFindings(in wire: WireDescription) -> [Finding] {
        let uses = wire.services.flatMap(\.methods).reduce(into: [String: Int]()) { uses, method in
            for message in Set([method.input, method.output]) { uses[message, default: 0] += 1 }
        }
        return wire.services.flatMap { service -> [Finding] in
            let short = lastPart(of: service.name)
            let findings = [("SERVICE_PASCAL_CASE", isPascal(short)), ("SERVICE_SUFFIX", short.hasSuffix("Service"))]
                .filter { !$0.1 }.map { Finding(rule: $0.0, name: service.name) }
            return findings
                + service.methods.flatMap { method in
                    [
                        ("RPC_PASCAL_CASE", isPascal(method.name)),
                        ("RPC_REQUEST_STANDARD_NAME", lastPart(of: method.input) == method.name + "Request"),
                        ("RPC_RESPONSE_STANDARD_NAME", lastPart(of: method.output) == method.name + "Response"),
                        (
                            "RPC_REQUEST_RESPONSE_UNIQUE",
                            method.input != method.output && uses[method.input] == 1 && uses[method.output] == 1
                        ),
                        ("RPC_NO_CLIENT_STREAMING", !method.isClientStream),
                    ].filter { !$0.1 }.map { Finding(rule: $0.0, name: "\(service.name)/\(method.name)") }
                }
        }
    }

    private static func keywordFindings(in wire: WireDescription) -> [Finding] {
        func finding(_ name: String, as spelling: String, _ use: Keywords.Use) -> [Finding] {
            Keywords.languages(thatReserve: spelling, of: use).map {
                Finding(rule: "KEYWORD", name: "\(name), of \($0)")
            }
        }
        let fields = wire.messages.flatMap { message in
            message.fields.flatMap { finding("\(message.name).\($0.name)", as: $0.name, .field) }
        }
        let types = (wire.messages.map(\.name) + wire.enumerations.map(\.name) + wire.services.map(\.name)).flatMap {
            finding($0, as: lastPart(of: $0), .type)
        }
        let methods = wire.services.flatMap { service in
            service.methods.flatMap { finding("\(service.name)/\($0.name)", as: $0.name, .method) }
        }
        return fields + types + methods
    }

    // MARK: - Spelling

    static func isLowerSnake(_ text: some StringProtocol) -> Bool {
        String(text).wholeMatch(of: /[a-z][a-z0-9]*(_[a-z0-9]+)*/) != nil
    }

    static func isPascal(_ text: some StringProtocol) -> Bool {
        String(text).wholeMatch(of: /[A-Z][A-Za-z0-9]*/) != nil
    }

    /// "PRESENTATION_KIND" of "PresentationKind".
    static func upperSnake(_ text: String) -> String {
        text.replacing(/([a-z0-9])([A-Z])/) { "\($0.1)_\($0.2)" }.uppercased()
    }
}
