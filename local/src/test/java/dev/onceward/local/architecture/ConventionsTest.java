package dev.onceward.local.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;

final class ConventionsTest {

  @Test
  void every_package_has_a_design_note_and_is_null_marked() {
    classes()
        .should(resideInANullMarkedPackage())
        .because(
            "null is checked only in marked packages: add a package-info.java with @NullMarked that"
                + " says who is authoritative, the invariants, and what each failure does")
        .check(OurClasses.ALL);
  }

  @Test
  void names_say_what_a_class_is_for() {
    noClasses()
        .that()
        .areTopLevelClasses()
        .should()
        .haveNameMatching(".*(Manager|Helper|Helpers|Util|Utils|Impl)")
        .because("such a name fits anything: name the value, the loop, or the store that it is")
        .check(OurClasses.ALL);
  }

  @Test
  void packages_are_cut_by_responsibility() {
    noClasses()
        .should()
        .resideInAnyPackage("..common..", "..util..", "..utils..", "..model..", "..impl..")
        .because("a package by kind couples everything: put the class where its one user is")
        .check(OurClasses.ALL);
  }

  @Test
  void there_is_no_static_mutable_state() {
    // The servers of module embedded are one pair per JVM by their very purpose.
    fields()
        .that()
        .areDeclaredInClassesThat()
        .resideOutsideOfPackage("dev.onceward.embedded..")
        .and()
        .areStatic()
        .and()
        .doNotHaveModifier(com.tngtech.archunit.core.domain.JavaModifier.SYNTHETIC)
        .should()
        .beFinal()
        .because("several pipelines run in one JVM in tests: hand the state over in a constructor")
        .check(OurClasses.ALL);
  }

  @Test
  void fields_are_not_public() {
    fields()
        .that()
        .arePublic()
        .and()
        .areNotStatic()
        .should()
        .beDeclaredInClassesThat()
        .areRecords()
        .allowEmptyShould(true)
        .because("values are records; everything else shows methods")
        .check(OurClasses.ALL);
  }

  private static ArchCondition<JavaClass> resideInANullMarkedPackage() {
    return new ArchCondition<>("reside in a package that is @NullMarked") {
      @Override
      public void check(JavaClass type, ConditionEvents events) {
        boolean marked = type.getPackage().tryGetAnnotationOfType(NullMarked.class).isPresent();
        events.add(
            new SimpleConditionEvent(
                type, marked, type.getName() + (marked ? " is" : " is not") + " in one"));
      }
    };
  }
}
