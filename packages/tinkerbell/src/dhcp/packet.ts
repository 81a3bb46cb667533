/** Types of messages: option 53. */
export const DhcpType = { discover: 1, offer: 2, request: 3, ack: 5, nak: 6, release: 7, inform: 8 } as const;

/** A packet of DHCP for Ethernet and IPv4. */
export interface DhcpPacket {
  /** 1 of a client, 2 of a server. */
  readonly op: 1 | 2;
  readonly xid: number;
  readonly secs: number;
  readonly flags: number;
  readonly ciaddr: string;
  readonly yiaddr: string;
  readonly siaddr: string;
  /** Address of the relay that forwarded the packet; `0.0.0.0` without a relay. */
  readonly giaddr: string;
  /** Lower case, with colons. */
  readonly mac: string;
  /** The file to boot. */
  readonly file: string;
  /** By code; an option that comes twice is joined. */
  readonly options: ReadonlyMap<number, Uint8Array>;
}

const cookie = 0x63_82_53_63;
const at = { xid: 4, secs: 8, flags: 10, addresses: 12, mac: 28, file: 108, cookie: 236, options: 240 } as const;
const lengths = { mac: 6, file: 128, option: 255, packet: 300 } as const;
const pad = 0;
const end = 255;
/** A reply is not larger than this; clients need not take more. */
const mtu = 1500;
/** Maximum bytes of a packet from a client. */
const largestRequest = 4096;

const addressAt = (bytes: Buffer, offset: number): string => bytes.subarray(offset, offset + 4).join(".");

/** `undefined` if the bytes are no packet of DHCP over Ethernet. */
export const readDhcp = (bytes: Buffer): DhcpPacket | undefined => {
  if (bytes.length < at.options || bytes.length > largestRequest) return undefined;
  if (bytes.readUInt32BE(at.cookie) !== cookie) return undefined;
  const [op, hardware, hardwareLength] = bytes;
  if ((op !== 1 && op !== 2) || hardware !== 1 || hardwareLength !== lengths.mac) return undefined;
  const options = readOptions(bytes.subarray(at.options));
  if (options === undefined) return undefined;
  const file = bytes.subarray(at.file, at.file + lengths.file);
  return {
    op,
    xid: bytes.readUInt32BE(at.xid),
    secs: bytes.readUInt16BE(at.secs),
    flags: bytes.readUInt16BE(at.flags),
    ciaddr: addressAt(bytes, at.addresses),
    yiaddr: addressAt(bytes, at.addresses + 4),
    siaddr: addressAt(bytes, at.addresses + 8),
    giaddr: addressAt(bytes, at.addresses + 12),
    mac: [...bytes.subarray(at.mac, at.mac + lengths.mac)].map((byte) => byte.toString(16).padStart(2, "0")).join(":"),
    file: file.toString("latin1").replace(/\0.*$/s, ""),
    options,
  };
};

const readOptions = (bytes: Buffer): ReadonlyMap<number, Uint8Array> | undefined => {
  const options = new Map<number, Uint8Array>();
  for (let offset = 0; offset < bytes.length;) {
    const code = bytes[offset]!;
    if (code === end) return options;
    if (code === pad) {
      offset += 1;
      continue;
    }
    const length = bytes[offset + 1];
    if (length === undefined || offset + 2 + length > bytes.length) return undefined;
    const value = bytes.subarray(offset + 2, offset + 2 + length);
    options.set(code, Buffer.concat([options.get(code) ?? new Uint8Array(), value]));
    offset += 2 + length;
  }
  return options;
};

/** As it goes over the wire. Long options are divided; throws when it is longer than clients take. */
export const writeDhcp = (packet: DhcpPacket): Buffer => {
  const size = [...packet.options.values()].reduce<number>((sum, { length }) => sum + length, at.options);
  if (size > mtu) throw new RangeError(`a packet of ${size} bytes, more than ${mtu}`);
  const head = Buffer.alloc(at.options);
  head[0] = packet.op;
  head[1] = 1;
  head[2] = lengths.mac;
  head.writeUInt32BE(packet.xid, at.xid);
  head.writeUInt16BE(packet.secs, at.secs);
  head.writeUInt16BE(packet.flags, at.flags);
  for (const [index, address] of [packet.ciaddr, packet.yiaddr, packet.siaddr, packet.giaddr].entries()) {
    head.set(address.split(".").map(Number), at.addresses + 4 * index);
  }
  head.set(Buffer.from(packet.mac.replaceAll(":", ""), "hex"), at.mac);
  head.write(packet.file.slice(0, lengths.file - 1), at.file, "latin1");
  head.writeUInt32BE(cookie, at.cookie);
  const options = [...packet.options].flatMap(([code, value]) =>
    chunksOf(value).map((chunk) => [code, chunk.length, ...chunk]),
  );
  const bytes = Buffer.concat([head, Buffer.from([...options.flat(), end])]);
  if (bytes.length > mtu) throw new RangeError(`a packet of ${bytes.length} bytes, more than ${mtu}`);
  // Old clients and relays drop shorter ones.
  return bytes.length >= lengths.packet ? bytes : Buffer.concat([bytes, Buffer.alloc(lengths.packet - bytes.length)]);
};

const chunksOf = (value: Uint8Array): readonly Uint8Array[] => {
  const count = Math.max(1, Math.ceil(value.length / lengths.option));
  return Array.from({ length: count }, (_, index) =>
    value.subarray(index * lengths.option, (index + 1) * lengths.option),
  );
};
