import type { Hardware } from "../api/hardware.ts";
import { macAddress, type HardwareIndex } from "../hardware/hardware-index.ts";
import { normalized } from "../hardware/machine-marks.ts";
import { refusal, type ServiceAnswer, type ServiceRequest, type ServiceRoute, text } from "../http/http-answer.ts";
import { hardwareOfClient, served } from "../metadata/metadata-routes.ts";
import { autoIpxe, type BootingMachine, type ScriptSettings } from "./auto-ipxe.ts";

/** `/ipxe/script/<mac>/auto.ipxe`, or without the MAC address for the machine that asks. */
export const scriptRoute =
  (settings: ScriptSettings): ServiceRoute =>
  (request, index) => {
    const match = /^(?:\/ipxe\/script)?(?:\/([^/]+))?\/auto\.ipxe$/.exec(request.path);
    if (match === null) return undefined;
    const machine = match[1] === undefined ? byClient(request, index) : byMac(match[1], index, settings);
    if ("status" in machine) return machine;
    const script = autoIpxe(machine, settings);
    return typeof script === "string" ? text(script) : refusal(script.status, script.message);
  };

const byMac = (
  segment: string,
  { ofMac }: HardwareIndex,
  { servesUnknown }: ScriptSettings,
): BootingMachine | ServiceAnswer => {
  const mac = macAddress(segment);
  if (mac === undefined) return refusal(404, "the path names no MAC address");
  const known = ofMac(mac);
  if (servesUnknown && "missing" in known && !known.isDoubtful) return { hardware: unknownHardware(mac), mac };
  const found = served(known);
  return "refused" in found ? found.refused : { hardware: found.hardware, mac };
};

/** As the script needs it of a machine that has no Hardware yet. */
const unknownHardware = (mac: string): Hardware => ({
  apiVersion: "tinkerbell.org/v1alpha1",
  kind: "Hardware",
  metadata: { name: mac.replaceAll(":", "-") },
  spec: { interfaces: [{ disableDhcp: false, dhcp: { mac }, netboot: { allowPXE: true } }] },
});

const byClient = (request: ServiceRequest, index: HardwareIndex): BootingMachine | ServiceAnswer => {
  const found = hardwareOfClient(request, index);
  if ("refused" in found) return found.refused;
  const { hardware } = found;
  return { hardware, mac: macOf(hardware, request.client ?? "") };
};

const macOf = ({ spec }: Hardware, address: string): string =>
  spec?.interfaces
    ?.find(({ dhcp }) => normalized(dhcp?.ip?.address ?? "") === normalized(address))
    ?.dhcp?.mac?.toLowerCase() ?? "";
