import CGTK
import GateModel

/// The time zone of this device.
enum DeviceZone {
    /// How many minutes the device's clock is ahead of UTC at that local time; `nil` if there is no such time, such as
    /// 25:00. At a time that the clock skips, as it is after the change.
    static func offset(_ day: CivilDate, _ hour: Int, _ minute: Int) -> Int? {
        guard
            let moment = g_date_time_new_local(
                CInt(clamping: day.year), CInt(clamping: day.month), CInt(clamping: day.day), CInt(clamping: hour),
                CInt(clamping: minute), 0)
        else { return nil }
        defer { g_date_time_unref(moment) }
        return Int(g_date_time_get_utc_offset(moment) / 60_000_000)
    }
}
