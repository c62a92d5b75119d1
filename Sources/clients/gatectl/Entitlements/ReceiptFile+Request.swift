import GateModel
import GateProtocol
import GateReceipts

extension ReceiptFile {
    /// - Throws: `INVALID_ARGUMENT` (`badReceipt`) with the name of the check that failed, and how it failed.
    static func checked<Success>(_ check: () throws(ReceiptError) -> Success) throws(GateError) -> Success {
        do throws(ReceiptError) {
            return try check()
        } catch {
            throw refusal(error)
        }
    }

    /// - Throws: `INVALID_ARGUMENT` (`badReceipt`).
    func customerInfo() throws(GateError) -> CustomerInfoResponse {
        do throws(ReceiptError) {
            return try CustomerInfoResponse(json: bytes)
        } catch {
            throw Self.refusal(error)
        }
    }

    private static func refusal(_ error: ReceiptError) -> GateError {
        GateError(.invalidArgument, .badReceipt, error.description)
    }

    func customerInfoRequest() throws(GateError) -> SubmitCustomerInfoRequest {
        let response = try customerInfo()
        return SubmitCustomerInfoRequest(
            path: response.path, nonce: response.nonce,
            headers: response.headers.map { ProviderHTTPHeader(name: $0.name, value: $0.value) }, body: response.body)
    }
}
