// Program main lives a life at the Linode API that LINODE_URL names, as programs with linodego do: it makes a network, a firewall and an
// instance, waits on events, resizes, lists with filters and deletes. Each step that went well is a line of its output.
package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"time"

	"github.com/linode/linodego"
)

const (
	region  = "us-ord"
	seconds = 60
)

func main() {
	client, err := linodego.NewClientFromEnv(&http.Client{})
	check("read the environment", err)
	client.SetPollDelay(100 * time.Millisecond)
	ctx := context.Background()

	catalogue(ctx, client)
	subnet, vpc := network(ctx, client)
	instance := create(ctx, client, subnet)
	resize(ctx, client, instance)
	disks(ctx, client, instance)
	around(ctx, client, instance)
	sentBack(ctx, client, instance, vpc)
	sharing(ctx, client, instance)
	newer(ctx, client, walls(ctx, client), subnet)
	refusals(ctx, client, instance)
	remove(ctx, client, instance, vpc)
}

func check(step string, err error) {
	if err != nil {
		fmt.Printf("failed: %s: %v\n", step, err)
		os.Exit(1)
	}
	fmt.Println(step)
}

func expect(step string, holds bool, seen any) {
	if !holds {
		fmt.Printf("failed: %s: %+v\n", step, seen)
		os.Exit(1)
	}
	fmt.Println(step)
}

func catalogue(ctx context.Context, client *linodego.Client) {
	regions, err := client.ListRegions(ctx, nil)
	check("list regions", err)
	expect("know capabilities", len(regions) > 5 && len(regions[0].Capabilities) > 3, regions)
	plan, err := client.GetType(ctx, "g6-standard-2")
	check("get a plan", err)
	expect("know its size", plan.VCPUs == 2 && plan.Disk > 0, plan)
	_, err = client.ListImages(ctx, nil)
	check("list images", err)
	account, err := client.GetAccount(ctx)
	check("get the account", err)
	expect("know who it is", account.Email != "", account)
}

func network(ctx context.Context, client *linodego.Client) (int, int) {
	vpc, err := client.CreateVPC(ctx, linodego.VPCCreateOptions{
		Label: "go-vpc", Region: region,
		Subnets: []linodego.VPCSubnetCreateOptions{{Label: "first", IPv4: "10.0.0.0/24"}},
	})
	check("create a VPC", err)
	second, err := client.CreateVPCSubnet(ctx, linodego.VPCSubnetCreateOptions{Label: "second", IPv4: "10.0.1.0/24"}, vpc.ID)
	check("create a subnet", err)
	check("delete a subnet", client.DeleteVPCSubnet(ctx, vpc.ID, second.ID))
	return vpc.Subnets[0].ID, vpc.ID
}

func create(ctx context.Context, client *linodego.Client, subnet int) *linodego.Instance {
	firewall, err := client.CreateFirewall(ctx, linodego.FirewallCreateOptions{
		Label: "go-wall",
		Rules: linodego.FirewallRuleSet{
			InboundPolicy: "DROP", OutboundPolicy: "ACCEPT",
			Inbound: []linodego.FirewallRule{{
				Action: "ACCEPT", Label: "ssh", Protocol: linodego.TCP, Ports: "22",
				Addresses: linodego.NetworkAddresses{IPv4: &[]string{"0.0.0.0/0"}},
			}},
			Outbound: []linodego.FirewallRule{},
		},
	})
	check("create a firewall", err)

	poller, err := client.NewEventPollerWithoutEntity(linodego.EntityLinode, linodego.ActionLinodeCreate)
	check("poll for an event to come", err)
	booted := false
	instance, err := client.CreateInstance(ctx, linodego.InstanceCreateOptions{
		Region: region, Type: "g6-standard-1", Label: "go-node", Image: "linode/debian12", RootPass: "a-long-root-password",
		Booted: &booted, Tags: []string{"golang"}, FirewallID: firewall.ID, PrivateIP: true,
		Metadata: &linodego.InstanceMetadataOptions{UserData: "I2Nsb3VkLWNvbmZpZwo="},
		Interfaces: []linodego.InstanceConfigInterfaceCreateOptions{
			{Purpose: linodego.InterfacePurposeVPC, Primary: true, SubnetID: &subnet},
		},
	})
	check("create an instance", err)
	poller.EntityID = instance.ID
	_, err = poller.WaitForFinished(ctx, seconds)
	check("wait for the event of its creation", err)
	_, err = client.WaitForInstanceStatus(ctx, instance.ID, linodego.InstanceOffline, seconds)
	check("wait until it is off", err)

	boot, err := client.NewEventPoller(ctx, instance.ID, linodego.EntityLinode, linodego.ActionLinodeBoot)
	check("poll for its boot", err)
	check("boot it", client.BootInstance(ctx, instance.ID, 0))
	_, err = boot.WaitForFinished(ctx, seconds)
	check("wait for the event of its boot", err)

	filter := linodego.And("", "", &linodego.Comp{Column: "label", Operator: linodego.Contains, Value: "go-"},
		&linodego.Comp{Column: "tags", Operator: linodego.Eq, Value: "golang"})
	text, err := filter.MarshalJSON()
	check("write a filter", err)
	found, err := client.ListInstances(ctx, linodego.NewListOptions(0, string(text)))
	check("list with a filter", err)
	expect("find it, running", len(found) == 1 && found[0].Status == linodego.InstanceRunning, found)
	walls, err := client.ListInstanceFirewalls(ctx, instance.ID, nil)
	check("list its firewalls", err)
	expect("find its firewall", len(walls) == 1 && walls[0].ID == firewall.ID, walls)
	addresses, err := client.GetInstanceIPAddresses(ctx, instance.ID)
	check("read its addresses", err)
	expect("see that of the VPC", len(addresses.IPv4.VPC) == 1 && *addresses.IPv4.VPC[0].Address == "10.0.0.2", addresses.IPv4)
	return instance
}

func resize(ctx context.Context, client *linodego.Client, instance *linodego.Instance) {
	poller, err := client.NewEventPoller(ctx, instance.ID, linodego.EntityLinode, linodego.ActionLinodeResize)
	check("poll for a resize", err)
	automatic := true
	check("resize it", client.ResizeInstance(ctx, instance.ID, linodego.InstanceResizeOptions{
		Type: "g6-standard-2", AllowAutoDiskResize: &automatic,
	}))
	_, err = poller.WaitForFinished(ctx, seconds)
	check("wait for the event of its resize", err)
	larger, err := client.WaitForInstanceStatus(ctx, instance.ID, linodego.InstanceRunning, seconds)
	check("wait until it runs again", err)
	expect("see its new plan", larger.Type == "g6-standard-2", larger)
}

func disks(ctx context.Context, client *linodego.Client, instance *linodego.Instance) {
	check("shut it down", client.ShutdownInstance(ctx, instance.ID))
	_, err := client.WaitForInstanceStatus(ctx, instance.ID, linodego.InstanceOffline, seconds)
	check("wait until it is off again", err)
	all, err := client.ListInstanceDisks(ctx, instance.ID, nil)
	check("list disks", err)
	check("shrink a disk", client.ResizeInstanceDisk(ctx, instance.ID, all[0].ID, 20_000))
	_, err = client.WaitForInstanceDiskStatus(ctx, instance.ID, all[0].ID, linodego.DiskReady, seconds)
	check("wait for the disk", err)
	disk, err := client.CreateInstanceDisk(ctx, instance.ID, linodego.InstanceDiskCreateOptions{
		Label: "data", Size: 5000, Filesystem: "ext4",
	})
	check("create a disk", err)
	_, err = client.WaitForInstanceDiskStatus(ctx, instance.ID, disk.ID, linodego.DiskReady, seconds)
	check("wait for the new disk", err)
}

func around(ctx context.Context, client *linodego.Client, instance *linodego.Instance) {
	balancer, err := client.CreateNodeBalancer(ctx, linodego.NodeBalancerCreateOptions{Region: region, Label: ptr("go-front")})
	check("create a NodeBalancer", err)
	config, err := client.CreateNodeBalancerConfig(ctx, balancer.ID, linodego.NodeBalancerConfigCreateOptions{
		Port: 6443, Protocol: linodego.ProtocolTCP, Algorithm: linodego.AlgorithmRoundRobin, Check: linodego.CheckConnection,
	})
	check("open a port", err)
	addresses, err := client.GetInstanceIPAddresses(ctx, instance.ID)
	check("read the private address", err)
	node, err := client.CreateNodeBalancerNode(ctx, balancer.ID, config.ID, linodego.NodeBalancerNodeCreateOptions{
		Label: "go-node", Address: addresses.IPv4.Private[0].Address + ":6443", Mode: linodego.ModeAccept,
	})
	check("add a backend", err)
	check("take the backend off", client.DeleteNodeBalancerNode(ctx, balancer.ID, config.ID, node.ID))
	check("delete the NodeBalancer", client.DeleteNodeBalancer(ctx, balancer.ID))

	domain, err := client.CreateDomain(ctx, linodego.DomainCreateOptions{
		Domain: "go.example.org", Type: linodego.DomainTypeMaster, SOAEmail: "go@example.org",
	})
	check("create a domain", err)
	_, err = client.CreateDomainRecord(ctx, domain.ID, linodego.DomainRecordCreateOptions{
		Type: linodego.RecordTypeA, Name: "api", Target: "192.0.2.1", TTLSec: 30,
	})
	check("create a record", err)
	records, err := client.ListDomainRecords(ctx, domain.ID, linodego.NewListOptions(0, `{"name":"api"}`))
	check("list records", err)
	expect("find the record", len(records) == 1 && records[0].TTLSec == 30, records)
	check("delete the domain", client.DeleteDomain(ctx, domain.ID))

	_, err = client.CreateObjectStorageBucket(ctx, linodego.ObjectStorageBucketCreateOptions{Label: "go-bucket", Region: region})
	check("create a bucket", err)
	key, err := client.CreateObjectStorageKey(ctx, linodego.ObjectStorageKeyCreateOptions{
		Label: "go-key",
		BucketAccess: &[]linodego.ObjectStorageKeyBucketAccess{
			{Region: region, BucketName: "go-bucket", Permissions: "read_write"},
		},
	})
	check("create a key", err)
	expect("see its secret once", key.SecretKey != "" && key.SecretKey != "[REDACTED]", key.Label)
	check("delete the key", client.DeleteObjectStorageKey(ctx, key.ID))
	check("delete the bucket", client.DeleteObjectStorageBucket(ctx, region, "go-bucket"))

	group, err := client.CreatePlacementGroup(ctx, linodego.PlacementGroupCreateOptions{
		Label: "go-group", Region: region,
		PlacementGroupType:   linodego.PlacementGroupTypeAntiAffinityLocal,
		PlacementGroupPolicy: linodego.PlacementGroupPolicyStrict,
	})
	check("create a placement group", err)
	_, err = client.AssignPlacementGroupLinodes(ctx, group.ID, linodego.PlacementGroupAssignOptions{Linodes: []int{instance.ID}})
	check("assign the instance", err)
	_, err = client.UnassignPlacementGroupLinodes(ctx, group.ID, linodego.PlacementGroupUnAssignOptions{Linodes: []int{instance.ID}})
	check("unassign the instance", err)
	check("delete the placement group", client.DeletePlacementGroup(ctx, group.ID))

	volume, err := client.CreateVolume(ctx, linodego.VolumeCreateOptions{Label: "go-volume", Region: region, Size: 20})
	check("create a volume", err)
	_, err = client.WaitForVolumeStatus(ctx, volume.ID, linodego.VolumeActive, seconds)
	check("wait for the volume", err)
	_, err = client.AttachVolume(ctx, volume.ID, &linodego.VolumeAttachOptions{LinodeID: instance.ID})
	check("attach the volume", err)
	check("detach the volume", client.DetachVolume(ctx, volume.ID))
	check("delete the volume", client.DeleteVolume(ctx, volume.ID))
}

func refusals(ctx context.Context, client *linodego.Client, instance *linodego.Instance) {
	_, err := client.UpdateInstance(ctx, instance.ID, linodego.InstanceUpdateOptions{Label: "x"})
	expect("be told which field is wrong", linodego.ErrHasStatus(err, 400), err)
	_, err = client.GetInstance(ctx, 1)
	expect("be told what is missing", linodego.IsNotFound(err), err)
}

func remove(ctx context.Context, client *linodego.Client, instance *linodego.Instance, vpc int) {
	check("delete the instance", client.DeleteInstance(ctx, instance.ID))
	deadline := time.Now().Add(seconds * time.Second)
	for {
		_, err := client.GetInstance(ctx, instance.ID)
		if linodego.IsNotFound(err) {
			break
		}
		expect("wait until it is gone", time.Now().Before(deadline), err)
		time.Sleep(client.GetPollDelay())
	}
	check("delete the VPC", client.DeleteVPC(ctx, vpc))
	left, err := client.ListInstances(ctx, nil)
	check("list what is left", err)
	expect("find nothing left", len(left) == 0, left)
}

func ptr[T any](value T) *T { return &value }
