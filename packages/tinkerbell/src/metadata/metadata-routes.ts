import type { Hardware } from "../api/hardware.ts";
import type { FoundHardware, HardwareIndex } from "../hardware/hardware-index.ts";
import { decodedSegment } from "../hardware/decoded-segment.ts";
import { refusal, type ServiceAnswer, type ServiceRequest, type ServiceRoute, text } from "../http/http-answer.ts";
import { ec2Text, ec2Tree } from "./ec2-tree.ts";

/** Some Hardware, or the answer that there is none to be served. */
export const served = (found: FoundHardware): { readonly hardware: Hardware } | { readonly refused: ServiceAnswer } =>
  "hardware" in found ? found : { refused: refusal(found.isDoubtful ? 500 : 404, found.missing) };

/** The one Hardware that has the address of who asks, or why there is none. */
export const hardwareOfClient = (
  { client }: ServiceRequest,
  { ofAddress }: HardwareIndex,
): { readonly hardware: Hardware } | { readonly refused: ServiceAnswer } =>
  client === undefined
    ? { refused: refusal(400, "the address of the client is not valid") }
    : served(ofAddress(client));

const version = /^\/2009-04-04(\/.*)?$/;

const answerFrom = (hardware: Hardware, path: string): ServiceAnswer => {
  const found = ec2Text(ec2Tree(hardware), path);
  return found === undefined ? refusal(404, "there is no such metadata") : text(found);
};

/** Metadata in the form of EC2, of the machine that asks and of no other. */
export const ec2Route: ServiceRoute = (request, index) => {
  const path = version.exec(request.path);
  if (path === null) return undefined;
  const found = hardwareOfClient(request, index);
  return "refused" in found ? found.refused : answerFrom(found.hardware, path[1] ?? "");
};

/** The same by `metadata.instance.id`, for whoever knows it. */
export const instanceRoute: ServiceRoute = ({ path }, { ofInstance }) => {
  const match = /^\/tootles\/instanceID\/([^/]+)\/2009-04-04(\/.*)?$/.exec(path);
  if (match === null) return undefined;
  const found = served(ofInstance(decodedSegment(match[1]!) ?? ""));
  return "refused" in found ? found.refused : answerFrom(found.hardware, match[2] ?? "");
};

/** Disks and file systems of the machine that asks, for the action that makes partitions. */
export const storageRoute: ServiceRoute = (request, index) => {
  if (!/^\/metadata\/?$/.test(request.path)) return undefined;
  const found = hardwareOfClient(request, index);
  if ("refused" in found) return found.refused;
  const { disks = [], filesystems = [] } = found.hardware.spec?.metadata?.instance?.storage ?? {};
  const body = JSON.stringify({ metadata: { instance: { storage: { disks, filesystems } } } });
  return { status: 200, body, type: "application/json" };
};
