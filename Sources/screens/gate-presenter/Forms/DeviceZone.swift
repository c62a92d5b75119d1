import CGTK
import GateModel

/// The time zone of this device.
enum DeviceZone {
    /// How many minutes the device's clock is ahead of UTC at that local time; `nil` if there is no such time, such as
    /// 25:00, or a time in the hour that the clock skips when summer time begins.
    static func offset(_ day: CivilDate, _ hour: Int, _ minute: Int) -> Int? {
        guard
            let moment = g_date_time_new_local(
                CInt(clamping: day.year), CInt(clamping: day.month), CInt(clamping: day.day), CInt(clamping: hour),
                CInt(clamping: minute), 0)
        else { return nil }
        defer { g_date_time_unref(moment) }
        // GLib moves a time that the clock skips to the first one after that.
        guard g_date_time_get_hour(moment) == hour, g_date_time_get_minute(moment) == minute else { return nil }
        return Int(g_date_time_get_utc_offset(moment) / 60_000_000)
    }
}
