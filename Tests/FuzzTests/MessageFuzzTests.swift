import CProtobufC
import GateModel
import GateProtocol
import GateScripting
import ProtobufScan
import TTRPC
import Testing

extension FuzzTests {
    @Suite("Messages")
    struct MessageFuzzTests {
        static let messages: [any WireMessage.Type] = [
            GetModeRequest.self, GetModeResponse.self, ToggleRequest.self, ToggleResponse.self,
            CancelModeRequest.self, CancelModeResponse.self, LockRequest.self, LockResponse.self, ExtendRequest.self,
            ExtendResponse.self, OverrideRequest.self, OverrideResponse.self,
            CheckRequest.self, CheckResponse.self, AuthorizeRequest.self, AuthorizeResponse.self, RedeemRequest.self,
            RedeemResponse.self, ListGrantsRequest.self, ListGrantsResponse.self, RevokeRequest.self,
            RevokeResponse.self, ListGatedActionsRequest.self, ListGatedActionsResponse.self,
            ListLockoutsRequest.self, ListLockoutsResponse.self, ClearLockoutRequest.self, ClearLockoutResponse.self,
            GetSecretsRequest.self, GetSecretsResponse.self, SetPasscodeRequest.self, SetPasscodeResponse.self,
            EnrolTOTPRequest.self, EnrolTOTPResponse.self, RemoveSecretRequest.self, RemoveSecretResponse.self,
            RegisterRequest.self, RegisterResponse.self, ClaimRequest.self, ClaimResponse.self, ReportRequest.self,
            ReportResponse.self, CompleteRequest.self, CompleteResponse.self, DismissRequest.self,
            DismissResponse.self,
            AwaitRequest.self, AwaitResponse.self, WithdrawRequest.self, WithdrawResponse.self,
            ListPresentationsRequest.self, ListPresentationsResponse.self,
            GetSignInRequest.self, GetSignInResponse.self, LogInRequest.self, LogInResponse.self, LogOutRequest.self,
            LogOutResponse.self, RegisterAccountRequest.self, RegisterAccountResponse.self, ChangePasswordRequest.self,
            ChangePasswordResponse.self, ListAccountsRequest.self, ListAccountsResponse.self, RemoveAccountRequest.self,
            RemoveAccountResponse.self,
            GetEntitlementsRequest.self, GetEntitlementsResponse.self, ListClaimsRequest.self, ListClaimsResponse.self,
            AddClaimRequest.self, AddClaimResponse.self, RevokeClaimRequest.self, RevokeClaimResponse.self,
            SubmitSignedTransactionRequest.self, SubmitSignedTransactionResponse.self, SubmitRenewalInfoRequest.self,
            SubmitRenewalInfoResponse.self, SubmitServerNotificationRequest.self, SubmitServerNotificationResponse.self,
            SubmitCustomerInfoRequest.self, SubmitCustomerInfoResponse.self, ReportProviderRequest.self,
            ReportProviderResponse.self, RequestPaywallRequest.self, RequestPaywallResponse.self,
            RequirePremiumRequest.self,
            RequirePremiumResponse.self,
            ListQuestionnairesRequest.self, ListQuestionnairesResponse.self, GetQuestionnaireRequest.self,
            GetQuestionnaireResponse.self, OpenFormRequest.self, OpenFormResponse.self, ReadFormRequest.self,
            ReadFormResponse.self, SetAnswerRequest.self, SetAnswerResponse.self, SuggestAnswerRequest.self,
            SuggestAnswerResponse.self, RemoveGroupRequest.self, RemoveGroupResponse.self, FillFormRequest.self,
            FillFormResponse.self, ResetFormRequest.self, ResetFormResponse.self, ValidateFormRequest.self,
            ValidateFormResponse.self, SaveFormRequest.self, SaveFormResponse.self, LoadFormRequest.self,
            LoadFormResponse.self, CompleteFormRequest.self, CompleteFormResponse.self, DiscardFormRequest.self,
            DiscardFormResponse.self, ListResponsesRequest.self, ListResponsesResponse.self, GetResponseRequest.self,
            GetResponseResponse.self, WithdrawResponseRequest.self, WithdrawResponseResponse.self,
            RequestFormRequest.self, RequestFormResponse.self, UploadRequest.self, UploadResponse.self,
            DownloadRequest.self, DownloadResponse.self, ShowReleaseNotesRequest.self, ShowReleaseNotesResponse.self,
            GetReleaseNotesRequest.self, GetReleaseNotesResponse.self, AcknowledgeReleaseNotesRequest.self,
            AcknowledgeReleaseNotesResponse.self, ResetReleaseNotesRequest.self, ResetReleaseNotesResponse.self,
            ListReleaseNotesRequest.self, ListReleaseNotesResponse.self,
            WatchRequest.self, WatchResponse.self, AuditRequest.self, AuditResponse.self,
            PingRequest.self, PingResponse.self, CancelRequest.self, CancelResponse.self, VersionRequest.self,
            VersionResponse.self, StatisticsRequest.self, StatisticsResponse.self, ReloadRequest.self,
            ReloadResponse.self, PolicyRequest.self, PolicyResponse.self, RecoverRequest.self, RecoverResponse.self,
            DescribeRequest.self,
            DescribeResponse.self,
        ]

        private static func anyDescriptor(
            using random: inout SeededGenerator
        ) -> UnsafePointer<ProtobufCMessageDescriptor> {
            messages.randomElement(using: &random)!.descriptor
        }

        @Test("no message is left out")
        func everyMessage() {
            let used = ServiceCatalog.all.flatMap(\.methods).flatMap { [$0.input, $0.output] }
            #expect(Set(Self.messages.map { $0.descriptor }) == Set(used))
        }

        private static func input(
            _ descriptor: UnsafePointer<ProtobufCMessageDescriptor>, _ fuzzCase: inout FuzzCase
        ) -> [UInt8] {
            var bytes = RandomMessage(descriptor, using: &fuzzCase.random).bytes
            if fuzzCase.random.chance(1, in: 2) { fuzzCase.random.mutate(&bytes) }
            fuzzCase.trying(bytes)
            return bytes
        }

        @Test("what passes the scan can be unpacked, and packed to what passes it again")
        func scanThenUnpack() throws {
            try FuzzRun.run("scan", iterations: 4000) { fuzzCase in
                let descriptor = Self.anyDescriptor(using: &fuzzCase.random)
                let bytes = Self.input(descriptor, &fuzzCase)
                guard bytes.isScanned(as: descriptor) else { return }
                guard let packed = repacked(bytes, as: descriptor) else {
                    #expect(
                        MergedMessage.isIn(bytes[...], as: descriptor),
                        "scanned, but not unpacked: \(bytes); \(fuzzCase)")
                    return
                }
                #expect(packed.isScanned(as: descriptor), "\(fuzzCase)")
                #expect(repacked(packed, as: descriptor) == packed, "\(bytes); \(fuzzCase)")
            }
        }

        /// With memory of the heap's own, so that the address sanitizer sees every step over an edge.
        private func repacked(
            _ bytes: [UInt8], as descriptor: UnsafePointer<ProtobufCMessageDescriptor>
        ) -> [UInt8]? {
            guard let message = protobuf_c_message_unpack(descriptor, nil, bytes.count, bytes) else { return nil }
            defer { protobuf_c_message_free_unpacked(message, nil) }
            return [UInt8](unsafeUninitializedCapacity: protobuf_c_message_get_packed_size(message) + 1) {
                $1 = protobuf_c_message_pack(message, $0.baseAddress)
            }
        }

        @Test("a message that is understood means the same when it is sent on")
        func wireMessages() throws {
            try FuzzRun.run("message", iterations: 4000) { fuzzCase in
                try understand(Self.messages.randomElement(using: &fuzzCase.random)!, &fuzzCase)
            }
        }

        private func understand<Message: WireMessage>(_ type: Message.Type, _ fuzzCase: inout FuzzCase) throws {
            let bytes = Self.input(type.descriptor, &fuzzCase)
            let message: Message
            do throws(GateError) {
                message = try Message(decoding: bytes)
            } catch {
                #expect(error.code == .invalidArgument && error.reason == .invalidRequest, "\(fuzzCase)")
                return
            }
            let encoded = message.encoded()
            let again = try Message(decoding: encoded)
            #expect(again == message, "\(bytes); \(fuzzCase)")
            #expect(again.encoded() == encoded, "\(bytes); \(fuzzCase)")
        }

        @Test("JSON says the same as the bytes, and broken JSON is refused")
        func json() throws {
            try FuzzRun.run("json", iterations: 600) { fuzzCase in
                let descriptor = Self.anyDescriptor(using: &fuzzCase.random)
                let bytes = Self.input(descriptor, &fuzzCase)
                guard let text = try? MessageJSON.text(of: bytes, as: descriptor) else {
                    #expect(
                        !bytes.isScanned(as: descriptor) || MergedMessage.isIn(bytes[...], as: descriptor),
                        "\(bytes); \(fuzzCase)")
                    return
                }
                let read = try MessageJSON.bytes(from: text, as: descriptor)
                #expect(
                    try MessageJSON.text(of: read, as: descriptor).utf8.elementsEqual(text.utf8), "\(text); \(fuzzCase)"
                )

                var broken = Array(text.utf8)
                fuzzCase.random.mutate(&broken)
                fuzzCase.trying(broken)
                guard let bytes = try? MessageJSON.bytes(from: String(decoding: broken, as: UTF8.self), as: descriptor)
                else { return }
                #expect(bytes.isScanned(as: descriptor), "\(fuzzCase)")
            }
        }

        @Test("an envelope that is understood means the same when it is sent on")
        func envelopes() throws {
            try FuzzRun.run("envelope", iterations: 4000) { fuzzCase in
                var bytes = fuzzCase.random.envelope()
                if fuzzCase.random.chance(2, in: 3) { fuzzCase.random.mutate(&bytes) }
                fuzzCase.trying(bytes)
                try bytes.withUnsafeBytes { raw in
                    if let request = try? RequestEnvelope(decoding: raw) {
                        let again = try request.encoded().withUnsafeBytes { try RequestEnvelope(decoding: $0) }
                        #expect(again == request, "\(bytes); \(fuzzCase)")
                    }
                    if let response = try? ResponseEnvelope(decoding: raw) {
                        let again = try response.encoded().withUnsafeBytes { try ResponseEnvelope(decoding: $0) }
                        #expect(again == response, "\(bytes); \(fuzzCase)")
                    }
                }
            }
        }
    }
}

extension [UInt8] {
    fileprivate func isScanned(as descriptor: UnsafePointer<ProtobufCMessageDescriptor>) -> Bool {
        withUnsafeBytes { bytes in (try? scan(bytes, as: descriptor)) != nil }
    }
}

extension SeededGenerator {
    /// A request or a response, as an honest peer sends it.
    mutating func envelope() -> [UInt8] {
        chance(1, in: 2) ? requestEnvelope() : responseEnvelope()
    }

    mutating func requestEnvelope() -> [UInt8] {
        let timeouts: [Duration?] = [nil, .nanoseconds(1), .seconds(5), .nanoseconds(Int64.max), .nanoseconds(-1)]
        return RequestEnvelope(
            service: ["gate.v1.Mode", "gate.v1.Watch", "", "x.Y"].randomElement(using: &self)!,
            method: ["Get", "Toggle", "Watch", "", "Nope"].randomElement(using: &self)!, payload: bytes(upTo: 40),
            timeout: timeouts.randomElement(using: &self)!,
            metadata: (0..<Int.random(in: 0..<3, using: &self)).map { Metadata(key: "k\($0)", value: "v") }
        ).encoded()
    }

    mutating func responseEnvelope() -> [UInt8] {
        if chance(1, in: 2) { return ResponseEnvelope(payload: bytes(upTo: 40)).encoded() }
        let detail = TypedValue(typeURL: GateError.detailTypeURL, value: bytes(upTo: 8))
        return ResponseEnvelope(
            status: Status(
                StatusCode(rawValue: .random(in: 0..<18, using: &self)), "why",
                details: chance(1, in: 2) ? [detail] : [])
        ).encoded()
    }
}
