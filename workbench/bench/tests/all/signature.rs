//! The behaviour of rules and searches, committed: a refactoring leaves it alone. Who changes it renews the snapshot
//! with `INSTA_UPDATE=always cargo test -p contender-bench --test all signature` and says why in the commit.

use contender_bench::{signature, workloads};

#[test]
fn behaviour_is_the_committed_one() {
    let mut text = String::new();
    for workload in workloads().into_iter().filter(|workload| workload.signature_rounds > 0) {
        let tally = (workload.run)(workload.signature_rounds);
        text += &format!("{:016x}  {}: {}\n", tally.checksum, workload.subject, workload.name);
    }
    text += &format!("{:016x}  all together\n", signature());
    insta::assert_snapshot!(text);
}
