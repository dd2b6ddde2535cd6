pub fn r#match(r#type: i32) -> i32 {
    'outer: loop {
        for r#type in [r#type; 2] {
            if r#type > 2 {
                break 'outer r#type;
            }
        }
        break 1;
    }
}
