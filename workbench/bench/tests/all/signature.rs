//! A committed snapshot of the behaviour of rules and searches, which a refactoring does not change. If you change the
//! behaviour, update the snapshot with `INSTA_UPDATE=always cargo test -p contender-bench --test all signature`, and
//! give the reason in the commit.

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
