import CGateProtocol
import GateModel
import GateProtocol
import Testing

@Suite("JSON")
struct MessageJSONTests {
    static let state = ModeState(mode: .verifying, deadline: BootTime(nanoseconds: 33))
    static let revision = Revision(epoch: .max, number: 22)
    static let presentation = Presentation(
        PresentationSummary(
            id: 7, purpose: .enterParentMode, kind: .challenge(.arithmeticChoice), deadline: BootTime(nanoseconds: 99),
            style: .sheet, isDismissible: true, stage: .claimed,
            asked: PresentationContext(uid: 1000, pid: 42, program: "a")),
        cookie: PresentationCookie(bytes: [0, 1, 0xFF, 0xFE]),
        challenge: .arithmeticChoice(ArithmeticProblem(left: 3, operator: .times, right: 5), choices: [15, 8, 16]))

    @Test("a message's JSON is one line with every field that is not absent")
    func golden() throws {
        func line(_ message: some WireMessage) throws -> String { try MessageJSON.text(of: message) }

        #expect(try line(GetModeRequest()) == "{}")
        #expect(
            try line(ToggleRequest(presenting: .elsewhere))
                == #"{"presentsItself":false,"presenting":"PRESENTING_UNSPECIFIED"}"#)
        #expect(
            try line(ToggleRequest(presenting: .elsewhereIfPossible))
                == #"{"presentsItself":false,"presenting":"PRESENTING_ELSEWHERE_IF_POSSIBLE"}"#)
        let reply =
            #""revision":{"epoch":"18446744073709551615","number":"22"},"#
            + #""state":{"mode":"MODE_VERIFYING","deadlineBoottimeNanoseconds":"33"}"#
        #expect(try line(GetModeResponse(revision: Self.revision, state: Self.state)) == "{\(reply)}")
        #expect(try line(ToggleResponse(revision: Self.revision, state: Self.state)) == "{\(reply)}")
        #expect(
            try line(ToggleResponse(revision: Self.revision, state: Self.state, presentation: Self.presentation))
                == "{\(reply),"
                + #""presentation":{"summary":{"id":"7","purpose":"PURPOSE_ENTER_PARENT_MODE","#
                + #""kind":"PRESENTATION_KIND_ARITHMETIC_CHOICE","deadlineBoottimeNanoseconds":"99","#
                + #""style":"STYLE_SHEET","isDismissible":true,"stage":"STAGE_CLAIMED","#
                + #""asked":{"uid":1000,"pid":42,"program":"a","gatedAction":"","title":"","details":"","#
                + #""durationMilliseconds":"0","titles":[],"translatedDetails":[],"isAppsOwn":false,"device":""},"#
                + #""restoreCount":0,"provider":"PROVIDER_UNSPECIFIED"},"#
                + #""cookie":"AAH//g==","#
                + #""arithmeticChoice":{"left":3,"operation":"OPERATOR_TIMES","right":5,"choices":[15,8,16]}}}"#)
        #expect(
            try line(
                WatchResponse(
                    firstNumber: 1, revision: Revision(epoch: 1, number: 2), isSnapshot: true, mode: nil,
                    presentations: nil))
                == #"{"firstNumber":"1","revision":{"epoch":"1","number":"2"},"isSnapshot":true}"#)
        #expect(try line(ReloadResponse(inForce: ["a", "b"])) == #"{"inForce":["a","b"]}"#)
        #expect(try line(ReloadResponse(inForce: [])) == #"{"inForce":[]}"#)
        #expect(
            try MessageJSON.text(of: [], as: GetModeResponse.descriptor) == "{}",
            "a message that is not set is not printed")
    }

    @Test("the JSON of sign-ins, claims and paywalls has the names of the .proto files")
    func goldenEntitlements() throws {
        func line(_ message: some WireMessage) throws -> String { try MessageJSON.text(of: message) }

        #expect(
            try line(GetSignInResponse(revision: Self.revision, state: ProtocTests.signedIn))
                == #"{"revision":{"epoch":"18446744073709551615","number":"22"},"state":{"session":{"name":"Anna Ü","#
                + #""isChild":true,"deadlineBoottimeNanoseconds":"77"},"isAuthenticating":false,"#
                + #""needsAuthentication":false}}"#)
        let born = try #require(CivilDate("2016-02-29"))
        #expect(
            try line(
                RegisterAccountRequest(
                    account: GatePerson(name: "ben", kind: .child(born: born)), password: GateSecret([0xFB, 0xFF])))
                == #"{"account":{"name":"ben","child":{"born":"2016-02-29"},"isUnconfirmed":false},"password":"+/8="}"#)
        #expect(
            try line(
                AddClaimRequest(
                    entitlement: "premium", holder: .account("anna"), expiresAt: WallTime(unixMilliseconds: 5)))
                == #"{"entitlement":"premium","holder":{"account":"anna"},"expiresAtUnixMilliseconds":"5"}"#)
        #expect(
            try line(
                SubmitCustomerInfoRequest(
                    path: "/", nonce: [0], headers: [ProviderHTTPHeader(name: "a", value: "b")], body: Array("{}".utf8))
            )
                == #"{"path":"/","nonce":"AA==","headers":[{"name":"a","value":"b"}],"body":"e30="}"#)
        #expect(
            try line(RequirePremiumRequest(paywall: PaywallRequest(style: .fullScreenCover), presenting: .here))
                == #"{"paywall":{"entitlement":"","provider":"PROVIDER_UNSPECIFIED","#
                + #""style":"STYLE_FULL_SCREEN_COVER"},"presentsItself":true,"presenting":"PRESENTING_UNSPECIFIED"}"#)
        #expect(
            try line(
                RegisterPresenterRequest(abilities: PresenterAbilities(kinds: [.paywall, .signIn], styles: [.sheet])))
                == #"{"kinds":["PRESENTATION_KIND_SIGN_IN","PRESENTATION_KIND_PAYWALL"],"styles":["STYLE_SHEET"],"#
                + #""hasScreenOfItsOwn":false}"#)
    }

    @Test("an account, a claim and a paywall are read from JSON written by hand")
    func readEntitlements() throws {
        func read<Message: WireMessage>(_ type: Message.Type, _ json: String) throws -> Message {
            try Message(decoding: MessageJSON.bytes(from: json, as: Message.descriptor))
        }

        #expect(
            try read(
                RegisterAccountRequest.self, #"{"account": {"name": "anna", "grownUp": {}}, "password": "c2VjcmV0"}"#)
                == RegisterAccountRequest(
                    account: GatePerson(name: "anna", kind: .grownUp), password: GateSecret("secret".utf8)))
        #expect(
            try read(AddClaimRequest.self, #"{"entitlement": "premium", "expiresAtUnixMilliseconds": 5}"#)
                == AddClaimRequest(entitlement: "premium", holder: .device, expiresAt: WallTime(unixMilliseconds: 5)))
        #expect(
            try read(RevokeClaimRequest.self, #"{"provider": "PROVIDER_MANUAL", "name": "1"}"#)
                == RevokeClaimRequest(claim: Claim.ID(.manual, "1")))
        #expect(
            try read(RequestPaywallRequest.self, #"{"paywall": {"entitlement": "premium"}}"#)
                == RequestPaywallRequest(paywall: PaywallRequest(entitlement: "premium")))
        #expect(throws: GateError.self, "a holder is one of two") {
            try read(AddClaimRequest.self, #"{"holder": {"device": {}, "account": "anna"}}"#)
        }
    }

    @Test("text is escaped, so that a line stays a line and a terminal obeys nothing in it")
    func escapes() throws {
        let request = OverrideModeRequest(mode: .child, duration: nil, reason: "\"\\\n\r\t\u{1B}[2J\u{9B}é👪")
        let text = try MessageJSON.text(of: request)
        #expect(
            text == #"{"mode":"MODE_CHILD","durationMilliseconds":"0","reason":"\"\\\n\r\t\u001b[2J\u009bé👪"}"#)
        #expect(
            try OverrideModeRequest(decoding: MessageJSON.bytes(from: text, as: OverrideModeRequest.descriptor))
                == request)
    }

    @Test("a number of an enum that has no name is written as a number, and read back")
    func unknownEnumValue() throws {
        let bytes = MessageBytes { $0.number(1, 99) }.array
        let text = try MessageJSON.text(of: bytes, as: OverrideModeRequest.descriptor)
        #expect(text.hasPrefix(#"{"mode":99,"#))
        #expect(try MessageJSON.bytes(from: text, as: OverrideModeRequest.descriptor) == bytes)
    }

    @Test("every message becomes JSON and the same bytes again", arguments: 0..<sampledMessages.count)
    func roundTrip(index: Int) throws {
        func check<Message: SampledMessage>(_ type: Message.Type) throws {
            for seed in 0..<40 as Range<UInt64> {
                var random = SplitMix(seed: seed)
                let bytes = Message.sample(using: &random).encoded()
                let text = try MessageJSON.text(of: bytes, as: Message.descriptor)
                #expect(!text.utf8.contains { $0 < 0x20 })
                #expect(try MessageJSON.bytes(from: text, as: Message.descriptor) == bytes, "seed \(seed): \(text)")
            }
        }
        try check(sampledMessages[index])
    }

    @Test(
        "JSON written by hand is read: spaces, both spellings of names and every way to write a number",
        arguments: [
            (#"{"presentsItself": true, "durationMilliseconds": 5}"#, 5),
            (#" { "presents_itself" : true , "duration_milliseconds" : "5" } "#, 5),
            (#"{"presentsItself":true,"durationMilliseconds":5.0}"#, 5),
            (#"{"presentsItself":true,"durationMilliseconds":5e3}"#, 5000),
            (#"{"presentsItself":true,"durationMilliseconds":-9223372036854775808}"#, Int64.min),
            (#"{"presentsItself":true,"durationMilliseconds":null}"#, 0),
        ] as [(String, Int64)])
    func lenient(json: String, milliseconds: Int64) throws {
        let request = try ExtendRequest(decoding: MessageJSON.bytes(from: json, as: ExtendRequest.descriptor))
        let duration: Duration? = milliseconds == 0 ? nil : .milliseconds(milliseconds)
        #expect(request == ExtendRequest(duration: duration, presenting: .here))
    }

    @Test("bytes are base64, padded or not, of either alphabet", arguments: ["+/8=", "+/8", "-_8", "-_8="])
    func base64(text: String) throws {
        let bytes = try MessageJSON.bytes(from: #"{"echo":"\#(text)"}"#, as: PingRequest.descriptor)
        #expect(try PingRequest(decoding: bytes).echo == [0xFB, 0xFF])
    }

    @Test("enum values and nested messages are read by name")
    func nested() throws {
        let bytes = try MessageJSON.bytes(
            from: #"{"topics":["TOPIC_MODE"],"after":{"number":"5"}}"#, as: WatchRequest.descriptor)
        #expect(
            try WatchRequest(decoding: bytes) == WatchRequest(topics: [.mode], after: Revision(epoch: 0, number: 5)))
    }
}

@Suite("Wrong JSON")
struct WrongJSONTests {
    private func message(_ json: String, as descriptor: UnsafePointer<ProtobufCMessageDescriptor>) -> String {
        let error = #expect(throws: GateError.self) { try MessageJSON.bytes(from: json, as: descriptor) }
        #expect(error?.code == .invalidArgument)
        #expect(error?.reason == .invalidRequest)
        return error?.message ?? ""
    }

    @Test("an unknown field is refused, and the error lists the known ones")
    func unknownField() {
        #expect(
            message(#"{"presentItself":true}"#, as: ExtendRequest.descriptor)
                == "gate.v1.ExtendRequest has no field \"presentItself\"; "
                + "its fields are durationMilliseconds, presentsItself, presenting")
        #expect(
            message(#"{"after":{"nummer":1}}"#, as: WatchRequest.descriptor)
                == "gate.v1.Revision has no field \"after.nummer\"; its fields are epoch, number")
        #expect(
            message(#"{"a":1}"#, as: GetModeRequest.descriptor)
                == "gate.v1.GetModeRequest has no field \"a\"; it has none at all")
    }

    @Test("an unknown enum value is named, with the known ones")
    func unknownEnumValue() {
        #expect(
            message(#"{"mode":"PARENT"}"#, as: OverrideModeRequest.descriptor)
                == "\"mode\" takes one of MODE_UNSPECIFIED, MODE_CHILD, MODE_VERIFYING, MODE_PARENT, not \"PARENT\"")
        #expect(
            message(#"{"topics":["MODE"]}"#, as: WatchRequest.descriptor)
                == "\"topics.0\" takes one of TOPIC_UNSPECIFIED, TOPIC_MODE, TOPIC_PRESENTATIONS, "
                + "TOPIC_SIGN_IN, TOPIC_ENTITLEMENTS, TOPIC_FORMS, TOPIC_ASKS, TOPIC_SCHEDULES, "
                + "TOPIC_USAGE, TOPIC_AGE, not \"MODE\"")
    }

    @Test("a value of the wrong type is refused, and the error says what the field takes")
    func wrongType() {
        #expect(
            message(#"{"presentsItself":1}"#, as: ToggleRequest.descriptor)
                == "\"presentsItself\" takes true or false, not 1")
        #expect(message(#"{"reason":5}"#, as: OverrideModeRequest.descriptor) == "\"reason\" takes a string, not 5")
        #expect(
            message(#"{"streamId":-1}"#, as: CancelRequest.descriptor)
                == "\"streamId\" takes a whole number from 0 to 4294967295, not -1")
        #expect(
            message(#"{"streamId":"1x"}"#, as: CancelRequest.descriptor)
                == "\"streamId\" takes a whole number from 0 to 4294967295, not \"1x\"")
        #expect(
            message(#"{"streamId":1.5}"#, as: CancelRequest.descriptor)
                == "\"streamId\" takes a whole number from 0 to 4294967295, not 1.5")
        #expect(message(#"{"topics":{}}"#, as: WatchRequest.descriptor) == "\"topics\" takes an array, not an object")
        #expect(
            message(#"{"after":[]}"#, as: WatchRequest.descriptor)
                == "\"after\" takes an object (gate.v1.Revision), not an array")
        #expect(
            message("[]", as: WatchRequest.descriptor)
                == "the message takes an object (gate.v1.WatchRequest), not an array")
    }

    @Test("the error about bytes that are not base64 does not repeat them, because they may be a secret")
    func secret() {
        #expect(
            message(#"{"cookie":"pass word!"}"#, as: DismissRequest.descriptor)
                == "\"cookie\" takes a string of base64")
    }

    @Test("two members of a oneof, and one field under both its names, are refused")
    func conflicts() {
        let both = #"{"arithmeticChoice":{},"arithmeticEntry":{}}"#
        #expect(
            message(#"{"presentation":\#(both)}"#, as: ToggleResponse.descriptor)
                == "\"presentation.arithmeticEntry\" can't be set together with another field of its oneof")
        #expect(
            message(#"{"presentsItself":true,"presents_itself":false}"#, as: ToggleRequest.descriptor)
                == "\"presents_itself\" is there twice, under both of its names")
    }

    @Test("NUL in a string is refused")
    func nul() {
        #expect(
            message(#"{"reason":"a\u0000b"}"#, as: OverrideModeRequest.descriptor) == "\"reason\" holds a NUL character"
        )
    }

    @Test(
        "a text that is not JSON is refused",
        arguments: ["", " ", "{", "{]", "nul", "{\"a\"}", "{} {}", "\"", "{\"presentsItself\":tru}", "\u{FEFF}"])
    func noJSON(json: String) {
        #expect(message(json, as: ToggleRequest.descriptor).hasPrefix("this is not JSON"), "\(json)")
    }

    @Test("JSON that is too deep, too long or has too many elements is refused")
    func limits() {
        let deep = String(repeating: "[", count: 100_000)
        #expect(message(deep, as: ToggleRequest.descriptor) == "the JSON is nested deeper than 32 levels")
        let long = #"{"echo":""# + String(repeating: "A", count: MessageJSON.maximumTextBytes) + #""}"#
        #expect(message(long, as: PingRequest.descriptor).contains("at most"))
        let many = #"{"topics":["# + String(repeating: "1,", count: 5000) + "1]}"
        #expect(message(many, as: WatchRequest.descriptor).contains("4096"))
    }

    @Test("changed JSON is refused or understood, and never traps")
    func mutations() throws {
        let types: [any SampledMessage.Type] = [
            OverrideModeRequest.self, ToggleResponse.self, AuditResponse.self, WatchRequest.self, CompleteRequest.self,
            ListGrantsResponse.self,
        ]
        for type in types {
            for seed in 0..<200 as Range<UInt64> {
                var random = SplitMix(seed: seed)
                var text = Array(try MessageJSON.text(of: type.sample(using: &random)).utf8)
                for _ in 0..<4 {
                    let index = Int.random(in: 0..<text.count, using: &random)
                    text[index] = "\"\\{}[],:0-9eantru\n".utf8.randomElement(using: &random)!
                    guard
                        let bytes = try? MessageJSON.bytes(
                            from: String(decoding: text, as: UTF8.self), as: type.descriptor)
                    else { continue }
                    let printed = try MessageJSON.text(of: bytes, as: type.descriptor)
                    #expect(try MessageJSON.bytes(from: printed, as: type.descriptor) == bytes)
                }
            }
        }
    }
}
