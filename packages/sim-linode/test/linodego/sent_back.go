package main

import (
	"context"
	"fmt"

	"github.com/linode/linodego"
)

// sentBack changes things by sending back what was read of them, as programs with linodego do: what only the API changes stays.
func sentBack(ctx context.Context, client *linodego.Client, instance *linodego.Instance, vpc int) {
	account, err := client.GetAccount(ctx)
	check("read the account again", err)
	_, err = client.UpdateAccount(ctx, account.GetUpdateOptions())
	check("send the account back", err)
	_, err = client.UpdateAccountSettings(ctx, linodego.AccountSettingsUpdateOptions{NetworkHelper: ptr(true)})
	check("change a setting and no other", err)

	shown, err := client.GetInstance(ctx, instance.ID)
	check("read the instance again", err)
	_, err = client.UpdateInstance(ctx, instance.ID, shown.GetUpdateOptions())
	check("send the instance back", err)
	configs, err := client.ListInstanceConfigs(ctx, instance.ID, nil)
	check("read its profile", err)
	_, err = client.UpdateInstanceConfig(ctx, instance.ID, configs[0].ID, configs[0].GetUpdateOptions())
	check("send its profile back", err)
	renamed, err := client.RenameInstanceConfig(ctx, instance.ID, configs[0].ID, "renamed")
	check("rename its profile", err)
	expect("find its interfaces there", len(renamed.Interfaces) == len(configs[0].Interfaces), renamed)
	_, err = client.UpdateInstanceFirewalls(ctx, instance.ID, linodego.InstanceFirewallUpdateOptions{FirewallIDs: []int{}})
	check("take it from behind its firewall", err)

	backbone, err := client.GetVPC(ctx, vpc)
	check("read the VPC", err)
	_, err = client.UpdateVPC(ctx, vpc, backbone.GetUpdateOptions())
	check("send the VPC back", err)
	_, err = client.UpdateVPCSubnet(ctx, vpc, backbone.Subnets[0].ID, backbone.Subnets[0].GetUpdateOptions())
	check("send its subnet back", err)

	domain, err := client.CreateDomain(ctx, linodego.DomainCreateOptions{
		Domain: "back.example.org", Type: linodego.DomainTypeMaster, SOAEmail: "go@example.org",
	})
	check("create another domain", err)
	_, err = client.UpdateDomain(ctx, domain.ID, domain.GetUpdateOptions())
	check("send the domain back", err)
	record, err := client.CreateDomainRecord(ctx, domain.ID, linodego.DomainRecordCreateOptions{
		Type: linodego.RecordTypeA, Name: "api", Target: "192.0.2.1",
	})
	check("create another record", err)
	_, err = client.UpdateDomainRecord(ctx, domain.ID, record.ID, record.GetUpdateOptions())
	check("send the record back", err)
	check("delete the other domain", client.DeleteDomain(ctx, domain.ID))

	balancer, err := client.CreateNodeBalancer(ctx, linodego.NodeBalancerCreateOptions{
		Region: region, Configs: []*linodego.NodeBalancerConfigCreateOptions{{Port: 80, Check: linodego.CheckConnection}},
	})
	check("create a NodeBalancer with a port", err)
	_, err = client.UpdateNodeBalancer(ctx, balancer.ID, balancer.GetUpdateOptions())
	check("send the NodeBalancer back", err)
	ports, err := client.ListNodeBalancerConfigs(ctx, balancer.ID, nil)
	check("read its port", err)
	_, err = client.UpdateNodeBalancerConfig(ctx, balancer.ID, ports[0].ID, ports[0].GetUpdateOptions())
	check("send its port back", err)
	check("delete that NodeBalancer", client.DeleteNodeBalancer(ctx, balancer.ID))
}

// walls gives a firewall rules with names of prefix lists, and rules of a set.
func walls(ctx context.Context, client *linodego.Client) int {
	lists, err := client.ListPrefixLists(ctx, nil)
	check("list prefix lists", err)
	ssh := linodego.FirewallRule{
		Action: "ACCEPT", Label: "ssh", Protocol: linodego.TCP, Ports: "22",
		Addresses: linodego.NetworkAddresses{IPv4: &[]string{lists[0].Name}},
	}
	set, err := client.CreateFirewallRuleSet(ctx, linodego.RuleSetCreateOptions{
		Label: "go-set", Type: linodego.FirewallRuleSetTypeInbound, Rules: []linodego.FirewallRule{ssh},
	})
	check("create a set of rules", err)
	firewall, err := client.CreateFirewall(ctx, linodego.FirewallCreateOptions{
		Label: "go-sets",
		Rules: linodego.FirewallRuleSet{
			InboundPolicy: "DROP", OutboundPolicy: "ACCEPT", Inbound: []linodego.FirewallRule{{RuleSet: set.ID}},
		},
	})
	check("create a firewall with it", err)
	rules, err := client.GetFirewallRules(ctx, firewall.ID)
	check("read its rules", err)
	_, err = client.UpdateFirewallRules(ctx, firewall.ID, *rules)
	check("send its rules back", err)
	expanded, err := client.GetFirewallRulesExpansion(ctx, firewall.ID)
	check("expand its rules", err)
	networks := *expanded.Inbound[0].Addresses.IPv4
	expect("see the networks of the list", networks[0] == (*lists[0].IPv4)[0], networks)
	return firewall.ID
}

// newer makes an instance with interfaces of its own.
func newer(ctx context.Context, client *linodego.Client, firewall int, subnet int) {
	booted := false
	instance, err := client.CreateInstance(ctx, linodego.InstanceCreateOptions{
		Region: region, Type: "g6-standard-1", Label: "go-new", Image: "linode/debian12", RootPass: "a-long-root-password",
		Booted: &booted, InterfaceGeneration: linodego.GenerationLinode,
		LinodeInterfaces: []linodego.LinodeInterfaceCreateOptions{
			{FirewallID: &firewall, Public: &linodego.PublicInterfaceCreateOptions{}},
			{FirewallID: &firewall, VPC: &linodego.VPCInterfaceCreateOptions{SubnetID: subnet}},
		},
	})
	check("create an instance with interfaces of its own", err)
	_, err = client.WaitForInstanceStatus(ctx, instance.ID, linodego.InstanceOffline, seconds)
	check("wait until that is off", err)
	interfaces, err := client.ListInterfaces(ctx, instance.ID, nil)
	check("list its interfaces", err)
	expect("find both", len(interfaces) == 2, interfaces)
	inside := interfaces[1]
	changed, err := client.UpdateInterface(ctx, instance.ID, inside.ID, linodego.LinodeInterfaceUpdateOptions{
		VPC: &linodego.VPCInterfaceUpdateOptions{IPv4: &linodego.VPCInterfaceIPv4CreateOptions{
			Ranges: &[]linodego.VPCInterfaceIPv4RangeCreateOptions{{Range: "10.0.0.64/28"}},
		}},
	})
	check("give one a range", err)
	expect("see it keep its address", changed.VPC.IPv4.Addresses[0].Address == inside.VPC.IPv4.Addresses[0].Address, changed.VPC)
	check("delete that instance", client.DeleteInstance(ctx, instance.ID))
}

// sharing makes an image of a disk, and shares it with its own account.
func sharing(ctx context.Context, client *linodego.Client, instance *linodego.Instance) {
	disks, err := client.ListInstanceDisks(ctx, instance.ID, nil)
	check("list disks again", err)
	image, err := client.CreateImage(ctx, linodego.ImageCreateOptions{DiskID: disks[0].ID, Label: "go-image"})
	check("make an image", err)
	_, err = client.WaitForImageStatus(ctx, image.ID, linodego.ImageStatusAvailable, seconds)
	check("wait for the image", err)
	group, err := client.CreateImageShareGroup(ctx, linodego.ImageShareGroupCreateOptions{Label: "go-group"})
	check("create a share group", err)
	_, err = client.ImageShareGroupAddImages(ctx, group.ID, linodego.ImageShareGroupAddImagesOptions{
		Images: []linodego.ImageShareGroupImage{{ID: image.ID}},
	})
	check("share the image", err)
	token, err := client.ImageShareGroupCreateToken(ctx, linodego.ImageShareGroupCreateTokenOptions{
		ValidForShareGroupUUID: group.UUID,
	})
	check("make a token", err)
	_, err = client.ImageShareGroupAddMember(ctx, group.ID, linodego.ImageShareGroupAddMemberOptions{
		Token: token.Token, Label: "us",
	})
	check("become a member", err)
	shared, err := client.ImageShareGroupGetImageShareEntriesByToken(ctx, token.TokenUUID, nil)
	check("list what is shared", err)
	expect("find the image", len(shared) == 1 && *shared[0].ImageSharing.SharedBy.SourceImageID == image.ID, shared)
	check("stop sharing it", client.ImageShareGroupRemoveImage(ctx, group.ID, shared[0].ID))
	check("delete the share group", client.DeleteImageShareGroup(ctx, group.ID))
	check("delete the image", client.DeleteImage(ctx, image.ID))
	fmt.Println("shared and taken back")
}
