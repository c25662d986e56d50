package dev.onceward.worker.outbound;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.util.List;

/**
 * Tells addresses of the public internet from all others (IANA's special-purpose registries, RFC
 * 6890, RFC 8190). What is not known to be public is not public.
 */
public final class PublicAddresses {

  /** Blocks of IPv4 that do not lead to the public internet, or not safely. */
  private static final List<Block> SPECIAL_4 =
      List.of(
          Block.of4(0, 0, 0, 8), // this network
          Block.of4(10, 0, 0, 8), // private
          Block.of4(100, 64, 0, 10), // behind a carrier's translation
          Block.of4(127, 0, 0, 8), // loopback
          Block.of4(169, 254, 0, 16), // link-local, where clouds keep instance credentials
          Block.of4(172, 16, 0, 12), // private
          Block.of4(192, 0, 0, 24), // protocol assignments
          Block.of4(192, 0, 2, 24), // documentation
          Block.of4(192, 88, 99, 24), // 6to4 relays
          Block.of4(192, 168, 0, 16), // private
          Block.of4(198, 18, 0, 15), // benchmarks
          Block.of4(198, 51, 100, 24), // documentation
          Block.of4(203, 0, 113, 24), // documentation
          Block.of4(224, 0, 0, 3)); // multicast, reserved, broadcast

  /** The only block of IPv6 that is handed out for the public internet. */
  private static final Block GLOBAL_6 = new Block(new byte[] {0x20, 0}, 3);

  /** What is special inside it; some of these carry an IPv4 address. */
  private static final List<Block> SPECIAL_6 =
      List.of(
          new Block(new byte[] {0x20, 0x01, 0, 0}, 23), // protocol assignments, Teredo
          new Block(new byte[] {0x20, 0x01, 0x0d, (byte) 0xb8}, 32), // documentation
          new Block(new byte[] {0x20, 0x02}, 16), // 6to4
          new Block(new byte[] {0x3f, (byte) 0xff, 0}, 20)); // documentation

  private PublicAddresses() {}

  /** Whether an address is of the public internet. IPv4 inside IPv6 is judged as IPv4 by Java. */
  public static boolean contain(InetAddress address) {
    byte[] bytes = address.getAddress();
    if (address instanceof Inet4Address) {
      return SPECIAL_4.stream().noneMatch(block -> block.contains(bytes));
    }
    return GLOBAL_6.contains(bytes) && SPECIAL_6.stream().noneMatch(block -> block.contains(bytes));
  }

  /** All addresses that begin with these bits. */
  private static final class Block {
    private final byte[] prefix;
    private final int bits;

    Block(byte[] prefix, int bits) {
      this.prefix = prefix;
      this.bits = bits;
    }

    static Block of4(int first, int second, int third, int bits) {
      return new Block(new byte[] {(byte) first, (byte) second, (byte) third}, bits);
    }

    boolean contains(byte[] address) {
      for (int bit = 0; bit < bits; bit++) {
        int mask = 0x80 >> (bit % 8);
        if ((address[bit / 8] & mask) != (prefix[bit / 8] & mask)) {
          return false;
        }
      }
      return true;
    }
  }
}
