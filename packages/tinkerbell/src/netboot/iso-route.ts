import type { Hardware } from "../api/hardware.ts";
import { macAddress } from "../hardware/hardware-index.ts";
import { refusal, type ServiceAnswer, type ServiceRequest, type ServiceRoute } from "../http/http-answer.ts";
import { served } from "../metadata/metadata-routes.ts";
import type { ScriptSettings } from "./auto-ipxe.ts";
import { ipamArgument } from "./ipam.ts";
import type { IsoSource } from "./iso-source.ts";
import { cutFrom, replacedIn } from "./patched-stream.ts";

type Interface = NonNullable<NonNullable<Hardware["spec"]>["interfaces"]>[number];

/** The ways in which images of CDs are served. */
export interface IsoSettings {
  /** The image of machines whose interface names none. */
  readonly url: string | undefined;
  /** The text in the image in the place of kernel arguments. */
  readonly placeholder: string;
  /** True if the system is told its address, instead of asking DHCP. */
  readonly ipam: boolean;
}

/** Where a system that knows nothing of its machine's consoles writes. */
const usualConsoles = "console=ttyAMA0 console=ttyS0 console=tty0 console=tty1 console=ttyS1";

/** The kernel arguments of a machine that boots from an image. */
const isoArguments = (
  { hardware, mac }: { readonly hardware: Hardware; readonly mac: string },
  { dhcp }: Interface,
  script: ScriptSettings,
  { ipam }: IsoSettings,
): string => {
  const facility = hardware.spec?.metadata?.facility?.facility_code ?? "";
  const { agentID = "" } = hardware.spec ?? {};
  return [
    ...(facility === "" ? [] : [`facility=${facility}`]),
    ...(facility.includes("console=") ? [] : [usualConsoles]),
    ...((dhcp?.vlan_id ?? "") === "" ? [] : [`vlan_id=${dhcp!.vlan_id!}`]),
    `hw_addr=${mac}`,
    `syslog_host=${script.syslogHost}`,
    `grpc_authority=${script.grpcAuthority}`,
    `tinkerbell_tls=${script.grpcTls}`,
    `worker_id=${agentID === "" ? mac : agentID}`,
    ...script.kernelArgs,
    ...(ipam && dhcp !== undefined ? [ipamArgument(dhcp)] : []),
  ].join(" ");
};

/** First and last byte of a request for part of a file; `undefined`: everything is wanted; `invalid`: no range of this file. */
const rangeOf = (range: string | undefined, size: number): readonly [number, number] | "invalid" | undefined => {
  const match = /^bytes=(\d*)-(\d*)$/.exec(range ?? "");
  if (match === null || (match[1] === "" && match[2] === "")) return undefined;
  const [from, to] = [match[1]!, match[2]!];
  const first = from === "" ? Math.max(0, size - Number(to)) : Number(from);
  const last = from === "" || to === "" ? size - 1 : Math.min(Number(to), size - 1);
  return first > last ? "invalid" : [first, last];
};

interface Wanted {
  readonly url: string;
  readonly search: Buffer;
  readonly replace: Buffer;
}

const refused = (status: number): ServiceAnswer => refusal(502, `the server of the image answers ${status}`);

/** Sends the image, or the part that was asked for; what is replaced may lie across the ends of that part, so more is read of the source. */
const imageAnswer = async (
  { url, ...replacement }: Wanted,
  { isHead, range }: ServiceRequest,
  source: IsoSource,
): Promise<ServiceAnswer> => {
  const head = await source.fetch({ url, isHead: true });
  await head.body.dump();
  if (head.statusCode !== 200) return refused(head.statusCode);
  const size = Number(head.headers["content-length"] ?? Number.NaN);
  const type = "application/octet-stream";
  if (!Number.isSafeInteger(size)) return refusal(502, "the server of the image does not say how long it is");
  const wanted = rangeOf(range, size);
  if (wanted === "invalid") {
    return { ...refusal(416, "the image has no such part"), headers: { "content-range": `bytes */${size}` } };
  }
  const [first, last] = wanted ?? [0, size - 1];
  const headers = {
    "accept-ranges": "bytes",
    ...(wanted !== undefined && { "content-range": `bytes ${first}-${last}/${size}` }),
  };
  const answer = { status: wanted === undefined ? 200 : 206, type, headers, length: last - first + 1 };
  if (isHead) return { ...answer, body: "" };
  const around = replacement.search.length - 1;
  const from = wanted === undefined ? 0 : Math.max(0, first - around);
  const part = wanted === undefined ? {} : { range: [from, Math.min(size - 1, last + around)] as const };
  const { body, statusCode } = await source.fetch({ url, isHead: false, ...part });
  if (statusCode !== 200 && statusCode !== 206) {
    await body.dump();
    return refused(statusCode);
  }
  // A server that knows no parts sends everything.
  const skip = statusCode === 206 ? first - from : first;
  return { ...answer, body: cutFrom(replacedIn(body, replacement), { skip, length: answer.length }) };
};

const imageOf = (
  mac: string,
  hardware: Hardware,
  script: ScriptSettings,
  settings: IsoSettings,
): Wanted | ServiceAnswer => {
  const own = hardware.spec?.interfaces?.find(({ dhcp }) => dhcp?.mac?.toLowerCase() === mac);
  const url = own?.isoboot?.sourceISO ?? settings.url;
  if (own === undefined || url === undefined) {
    return refusal(400, "neither isoboot.sourceISO of the interface nor the option isoUrl names an image");
  }
  if (!/^https?:\/\/\S+$/.test(url)) return refusal(400, "isoboot.sourceISO is not a URL of http or https");
  const search = Buffer.from(settings.placeholder);
  const text = Buffer.from(isoArguments({ hardware, mac }, own, script, settings));
  if (/\p{Cc}/u.test(text.toString())) return refusal(500, "a kernel argument of the Hardware has a control character");
  if (text.length > search.length) {
    return refusal(500, `the kernel arguments have ${text.length} bytes, but the image has room for ${search.length}`);
  }
  const replace = Buffer.alloc(search.length, 0x20);
  text.copy(replace);
  return { url, search, replace };
};

/** `/iso/<mac>/<file>.iso`: an image of a CD in which the kernel arguments of a machine stand in the place of a placeholder. */
export const isoRoute =
  (script: ScriptSettings, settings: IsoSettings, source: IsoSource): ServiceRoute =>
  (request, index) => {
    const match = /^\/iso\/(?:.*\/)?([^/]*)\/([^/]+)$/.exec(request.path);
    if (match === null) return undefined;
    if (!match[2]!.endsWith(".iso")) return refusal(404, "only images that end in .iso are served");
    const mac = macAddress(match[1]!);
    if (mac === undefined) return refusal(400, "the folder of the image is not a MAC address");
    const found = served(index.ofMac(mac));
    if ("refused" in found) return found.refused;
    const image = imageOf(mac, found.hardware, script, settings);
    return "status" in image ? image : imageAnswer(image, request, source);
  };
