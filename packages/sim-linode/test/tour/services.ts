import { gzipSync } from "node:zlib";
import { expect } from "vitest";
import { certificate } from "../certificate.ts";
import { tourShareGroups } from "./share-groups.ts";
import type { Tourist } from "./tourist.ts";

/** NodeBalancers, domains, images, volumes, object storage, tags, events and what the API offers. */
export const tourServices = async (world: Tourist): Promise<void> => {
  await nodeBalancers(world);
  await domains(world);
  await volumes(world);
  await images(world);
  await buckets(world);
  await tags(world);
  await catalogue(world);
};

const port = {
  port: 6443,
  protocol: "tcp",
  algorithm: "roundrobin",
  stickiness: "none",
  check: "connection",
  check_interval: 10,
  check_timeout: 5,
  check_attempts: 3,
  check_path: "/healthz",
  check_body: "ok",
  check_passive: true,
  cipher_suite: "recommended",
  proxy_protocol: "none",
  udp_check_port: 80,
  ssl_cert: certificate.certificate,
  ssl_key: certificate.key,
} as const;

const nodeBalancers = async ({ client, clock, offline, refused }: Tourist): Promise<void> => {
  const { nodeBalancers: calls, vpcs, firewalls, instances } = client;
  const node = await offline("backend");
  const address = (await instances.addresses(node.id)).ipv4.private[0]!.address;
  const vpc = await vpcs.create({
    label: "behind",
    region: "us-ord",
    ipv6: [{ range: "/52" }],
    subnets: [{ label: "one", ipv4: "10.0.0.0/24", ipv6: [{ range: "/56" }] }],
  });
  const { id: subnet_id, ipv6 } = vpc.subnets[0]!;
  const ipv6_range = ipv6![0]!.range.replace("/56", "/64");
  const rules = { inbound: [], outbound: [], inbound_policy: "ACCEPT", outbound_policy: "ACCEPT" } as const;
  const wall = await firewalls.create({ label: "of-balancer", rules });
  const backend = { label: "backend", address: `${address}:6443`, mode: "accept", weight: 50, subnet_id } as const;
  const { id } = await calls.create({
    region: "us-ord",
    label: "balancer",
    tags: ["front"],
    client_conn_throttle: 5,
    client_udp_sess_throttle: 5,
    type: "common",
    firewall_id: wall.id,
    configs: [{ ...port, nodes: [backend] }],
    vpcs: [{ subnet_id, ipv4_range: "10.0.0.64/30", ipv4_range_auto_assign: false, ipv6_range }],
  });
  await refused(400, calls.create({ region: "us-ord", ipv4: "192.0.2.9" }));
  await calls.list();
  await calls.get(id);
  await calls.update(id, { label: "balancer-2", tags: [], client_conn_throttle: 0, client_udp_sess_throttle: 0 });
  await calls.stats(id);
  await calls.listTypes();
  await calls.listFirewalls(id);
  await calls.updateFirewalls(id, { firewall_ids: [] });
  const [place] = await calls.listVpcs(id);
  await calls.getVpc(id, place!.id);
  await instances.listNodeBalancers(node.id);
  const [first] = await calls.listConfigs(id);
  await calls.deleteConfig(id, first!.id);
  const { id: config } = await calls.createConfig(id, { ...port, port: 443, nodes: [backend] });
  await calls.getConfig(id, config);
  await calls.updateConfig(id, config, { ...port, port: 444 });
  const [kept] = await calls.listNodes(id, config);
  await calls.rebuildConfig(id, config, { ...port, port: 445, nodes: [{ ...backend, id: kept!.id }] });
  const other = { ...backend, address: `${address}:6444`, label: "other" };
  const { id: second } = await calls.createNode(id, config, other);
  await calls.getNode(id, config, second);
  await calls.updateNode(id, config, second, { ...other, address: `${address}:6445`, mode: "drain", weight: 1 });
  await calls.deleteNode(id, config, second);
  await calls.delete(id);
  await vpcs.delete(vpc.id);
  await firewalls.delete(wall.id);
  await instances.delete(node.id);
  await clock.advance(1000);
};

const zone = {
  domain: "example.org",
  type: "master",
  status: "active",
  soa_email: "admin@example.org",
  description: "ours",
  group: "old",
  tags: ["zones"],
  axfr_ips: ["192.0.2.1"],
  master_ips: [],
  ttl_sec: 300,
  refresh_sec: 300,
  retry_sec: 300,
  expire_sec: 604_800,
} as const;

const domains = async ({ client: { domains: calls } }: Tourist): Promise<void> => {
  const { id } = await calls.create(zone);
  await calls.list();
  await calls.get(id);
  await calls.update(id, { ...zone, description: "still ours" });
  await calls.import({ domain: "imported.example.org", remote_nameserver: "ns.example.com" });
  await calls.createRecord(id, { type: "A", name: "www", target: "192.0.2.7", ttl_sec: 300 });
  const service = { priority: 10, weight: 5, port: 80, service: "_http", protocol: "_tcp", tag: null } as const;
  const record = await calls.createRecord(id, { ...service, type: "SRV", name: "srv", target: "www", ttl_sec: 300 });
  await calls.listRecords(id);
  await calls.getRecord(id, record.id);
  await calls.updateRecord(id, record.id, { ...service, name: "srv-2", target: "www", ttl_sec: 3600 });
  await calls.zoneFile(id);
  const copy = await calls.clone(id, { domain: "copy.example.org" });
  await calls.deleteRecord(id, record.id);
  await calls.delete(copy.id);
};

const volumes = async ({ client, clock, offline }: Tourist): Promise<void> => {
  const { volumes: calls, instances } = client;
  const node = await offline("with-volume");
  const [config] = await instances.listConfigs(node.id);
  const place = { linode_id: node.id, config_id: config!.id };
  const wanted = { label: "data", region: "us-ord", size: 20, tags: ["disks"], encryption: "enabled" } as const;
  const { id } = await calls.create({ ...wanted, ...place, persist_across_boots: true });
  await clock.advance(1000);
  await calls.list();
  await calls.get(id);
  await instances.listVolumes(node.id);
  await calls.detach(id);
  await clock.advance(1000);
  await calls.attach(id, { ...place, persist_across_boots: true });
  await clock.advance(1000);
  await calls.detach(id);
  await clock.advance(1000);
  await calls.update(id, { label: "more-data", tags: [] });
  await calls.resize(id, { size: 40 });
  await clock.advance(1000);
  await calls.clone(id, { label: "copy" });
  await calls.listTypes();
  await calls.delete(id);
  await instances.delete(node.id);
  await clock.advance(1000);
};

const images = async ({ client, clock, offline }: Tourist): Promise<void> => {
  const { images: calls, instances } = client;
  const node = await offline("golden");
  const [disk] = await instances.listDisks(node.id);
  const about = { label: "golden", description: "ours", tags: ["images"] };
  const { id } = await calls.create({ ...about, disk_id: disk!.id, cloud_init: true });
  await clock.advance(1000);
  await calls.list();
  await calls.get(id);
  await calls.update(id, { ...about, description: "still ours" });
  await calls.replicate(id, { regions: ["us-ord", "us-sea"] });
  const brought = { ...about, label: "brought", region: "us-ord", cloud_init: true };
  const { image, upload_to } = await calls.upload(brought);
  await client.uploadImage(upload_to, gzipSync(Buffer.alloc(3_000_000)));
  await clock.advance(1000);
  expect(await calls.get(image.id)).toMatchObject({ status: "available", size: 3 });
  await tourShareGroups(client, [id, image.id]);
  await calls.delete(id);
  await instances.delete(node.id);
  await clock.advance(1000);
};

const buckets = async ({ client: { objectStorage }, simulator }: Tourist): Promise<void> => {
  const { buckets: calls, keys } = objectStorage;
  const place = ["us-ord", "pictures"] as const;
  const endpoint = { endpoint_type: "E1", s3_endpoint: simulator.objectStorage.url } as const;
  await calls.create({ region: place[0], label: place[1], acl: "private", cors_enabled: true, ...endpoint });
  await calls.create({ cluster: "us-ord-1", label: "older" });
  await calls.delete("us-ord-1", "older");
  await calls.list();
  await calls.listOfRegion("us-ord");
  await calls.get(...place);
  await calls.setAccess(...place, { acl: "public-read", cors_enabled: false });
  await calls.updateAccess(...place, { acl: "private", cors_enabled: true });
  await calls.getAccess(...place);
  const name = "a/b.txt";
  const put = { name, method: "PUT", content_type: "text/plain", expires_in: 360, content_disposition: "inline" };
  const { url } = await calls.createObjectUrl(...place, put);
  await fetch(url, { method: "PUT", body: "x", headers: { "content-type": "text/plain" } });
  await calls.listObjects(...place, { prefix: "a", delimiter: "/", marker: "", page_size: 25 });
  await calls.listObjects(...place);
  await calls.updateObjectAcl(...place, { name, acl: "public-read" });
  await calls.getObjectAcl(...place, { name });
  await calls.uploadCertificate(...place, { certificate: "CERTIFICATE", private_key: "KEY" });
  await calls.getCertificate(...place);
  await calls.deleteCertificate(...place);
  const access = { bucket_name: place[1], permissions: "read_write", region: place[0] } as const;
  const byCluster = { bucket_name: place[1], permissions: "read_only", cluster: "us-ord-1" } as const;
  const { id } = await keys.create({ label: "key", regions: ["us-ord"], bucket_access: [access, byCluster] });
  await keys.list();
  await keys.get(id);
  await keys.update(id, { label: "key-2", regions: ["us-ord", "us-sea"] });
  await keys.delete(id);
  await fetch((await calls.createObjectUrl(...place, { name, method: "DELETE" })).url, { method: "DELETE" });
  await calls.delete(...place);
  const [cluster] = await objectStorage.listClusters();
  await objectStorage.getCluster(cluster!.id);
  await objectStorage.listEndpoints();
  const [quota] = await objectStorage.listQuotas();
  await objectStorage.getQuota(quota!.quota_id);
  await objectStorage.getQuotaUsage(quota!.quota_id);
  const [limit] = await objectStorage.listGlobalQuotas();
  await objectStorage.getGlobalQuota(limit!.quota_id);
  await objectStorage.getGlobalQuotaUsage(limit!.quota_id);
  await objectStorage.listTypes();
  await objectStorage.transfer();
  await objectStorage.cancel();
};

const tags = async ({ client, offline }: Tourist): Promise<void> => {
  const { tags: calls, instances, domains: zones, volumes: disks, nodeBalancers: balancers } = client;
  const node = await offline("tagged");
  const zone_ = await zones.create({ domain: "tags.example.org", type: "master", soa_email: "a@example.org" });
  const disk = await disks.create({ label: "tagged", region: "us-ord" });
  const balancer = await balancers.create({ region: "us-ord" });
  const { address } = await client.networking.reserveIp({ region: "us-ord" });
  await calls.create({
    label: "all-blue",
    linodes: [node.id],
    domains: [zone_.id],
    volumes: [disk.id],
    nodebalancers: [balancer.id],
    reserved_ipv4_addresses: [address],
  });
  await calls.list();
  await calls.listObjects("all-blue");
  await calls.delete("all-blue");
  await instances.delete(node.id);
};

const catalogue = async ({ client }: Tourist): Promise<void> => {
  const { events, regions, types, kernels } = client;
  const [event] = await events.list();
  await events.get(event!.id);
  await events.markSeen(event!.id);
  await events.markRead(event!.id);
  await regions.list();
  await regions.get("us-ord");
  await regions.listAvailability();
  await regions.getAvailability("us-ord");
  await regions.listVpcAvailability();
  await regions.getVpcAvailability("us-ord");
  await types.list();
  await types.get("g6-standard-1");
  await kernels.list();
  await kernels.get("linode/grub2");
};
