/// The household's broker as a service of its own. A mosquitto that a family has in use already would take this household's settings for its own,
/// or refuse to start with both: those of listeners count for one process.
package enum MosquittoService {
    /// The name of the service.
    package static let name = "mosquitto-gate"
    /// Its unit, among the broker's files.
    package static let fileName = "\(name).service"
    /// The name of the service where the broker's files were made without a unit of its own.
    package static let sharedName = "mosquitto"

    /// The unit. What the broker keeps is in the folder where it works.
    package static let unit = """
        [Unit]
        Description=The MQTT broker of Gate's household
        After=network-online.target
        Wants=network-online.target

        [Service]
        User=mosquitto
        StateDirectory=\(name)
        StateDirectoryMode=0700
        WorkingDirectory=/var/lib/\(name)
        ExecStart=/usr/sbin/mosquitto -c \(MosquittoConfiguration.defaultFolder)/gate.conf
        ExecReload=/bin/kill -HUP $MAINPID
        Restart=on-failure
        NoNewPrivileges=yes
        PrivateTmp=yes
        ProtectHome=yes
        ProtectSystem=strict

        [Install]
        WantedBy=multi-user.target

        """
}
