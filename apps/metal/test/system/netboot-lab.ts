/** The network of the test, with the names and addresses of its services, its machine and its other client. */
export const lab = {
  server: "10.77.0.1",
  machine: { name: "machine", mac: "52:54:00:77:00:0a", address: "10.77.0.5" },
  client: { name: "client", mac: "52:54:00:77:00:0b", address: "10.77.0.6" },
  userData: "#cloud-config\nhostname: machine\n",
  /** The port of the server of kernel and initrd. */
  filesPort: 7173,
} as const;
